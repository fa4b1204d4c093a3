import { expect, type Page } from '@playwright/test'

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

/** Collects what the policy of a page refuses, from its next load on. */
export async function watchViolations(page: Page): Promise<string[]> {
  const violations: string[] = []
  await page.exposeFunction('reportViolation', (text: string) => violations.push(text))
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      (window as unknown as { reportViolation(text: string): void }).reportViolation(
        `${violatedDirective} ${blockedURI}`,
      ),
    ),
  )
  return violations
}
