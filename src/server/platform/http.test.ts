import { expect, test } from 'vitest'
import { createHttp } from './http.ts'
import { createLog } from './log.ts'

test('every reply, errors included, has the security headers and a request id', async () => {
  const http = await createHttp(createLog('silent', 'test'), { secure: false })
  http.get('/api/thing', async () => ({}))
  for (const [url, status] of [
    ['/api/thing', 200],
    ['/api/nothing', 404],
  ] as const) {
    const { statusCode, headers } = await http.inject(url)
    expect(statusCode).toBe(status)
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining(
        "require-trusted-types-for 'script';trusted-types wellplay-worker wellplay-import",
      ),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(headers['strict-transport-security']).toBeUndefined()
  }
  await http.close()
  const secure = await createHttp(createLog('silent', 'test'), { secure: true })
  const { headers } = await secure.inject('/api/nothing')
  expect(headers['strict-transport-security']).toContain('max-age=')
  expect(headers['content-security-policy']).toContain('upgrade-insecure-requests')
  await secure.close()
})
