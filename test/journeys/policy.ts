import { expect } from '@playwright/test'

/** The policy of R20: no inline scripts, no other origins, Trusted Types, and no exceptions. */
export function expectStrictPolicy(headers: Record<string, string> | undefined): void {
  const policy = headers?.['content-security-policy'] ?? ''
  expect(policy.split(';')).toEqual(
    expect.arrayContaining([
      "script-src 'self'",
      "connect-src 'self'",
      "require-trusted-types-for 'script'",
      'trusted-types wellplay-worker wellplay-import',
    ]),
  )
  expect(policy).not.toContain('unsafe')
}
