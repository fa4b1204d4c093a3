import { expect, test } from 'vitest'
import { z } from 'zod'
import { route } from '../../protocol/route.ts'
import { createHttp, mountRoute } from './http.ts'
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

test('a POST takes its fields from the body only: a DPoP proof covers that, and not the address', async () => {
  const http = await createHttp(createLog('silent', 'test'), { secure: false })
  const fields = z.strictObject({ amount: z.string().optional() })
  const payRoute = route({
    method: 'POST',
    path: '/pay/',
    auth: 'none',
    summary: 'Pays',
    input: fields,
    output: fields,
  })
  mountRoute(http, payRoute, async (_request, input) => input)
  const pay = (url: string) => http.inject({ method: 'POST', url, payload: { amount: '1' } })
  expect((await pay('/api/pay/')).json()).toEqual({ amount: '1' })
  const refused = await pay('/api/pay/?amount=2')
  expect(refused.statusCode).toBe(400)
  expect(refused.json()).toMatchObject({ code: 'invalid_input', field: 'amount' })
  await http.close()
})

test('a caller has a limited time to send a request', async () => {
  const http = await createHttp(createLog('silent', 'test'), { secure: false })
  expect(http.server.requestTimeout).toBeGreaterThan(0)
  await http.close()
})

const policyWith = async (walletConnect: boolean): Promise<string[]> => {
  const http = await createHttp(createLog('silent', 'test'), { secure: false, walletConnect })
  const { headers } = await http.inject('/api/nothing')
  await http.close()
  return String(headers['content-security-policy']).split(';')
}

test('only with WalletConnect may a page connect to another host: to its relay, and frame its check of our domain', async () => {
  const [closed, open] = await Promise.all([policyWith(false), policyWith(true)])
  expect(closed.join()).not.toContain('//')
  expect(closed).toContain("connect-src 'self'")
  expect(closed.filter((line) => !open.includes(line))).toEqual(["connect-src 'self'"])
  expect(open.filter((line) => !closed.includes(line))).toEqual([
    "connect-src 'self' wss://relay.walletconnect.org",
    'frame-src https://verify.walletconnect.org',
  ])
})
