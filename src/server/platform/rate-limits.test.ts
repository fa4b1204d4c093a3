import { afterAll, beforeAll, expect, test } from 'vitest'
import { nothing, type Route, route } from '../../protocol/route.ts'
import { createHttp, type Http, mountRoute } from './http.ts'
import { createLog } from './log.ts'
import { limitRates } from './rate-limits.ts'

const AUTH_CALLS_PER_MINUTE = 60
const aRoute = (path: string, limit: Route['limit']) =>
  route({ method: 'POST', path, summary: 'A call', auth: 'none', limit, input: nothing, output: nothing })

let http: Http
beforeAll(async () => {
  http = await createHttp(createLog('silent', 'test'), { secure: false })
  await limitRates(http)
  for (const one of [aRoute('/sign-in/', 'auth'), aRoute('/read/', 'read')]) mountRoute(http, one, async () => ({}))
  await http.ready()
})
afterAll(() => http.close())

const call = (path: string, from: { token?: string; address?: string }) =>
  http.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: from.token === undefined ? {} : { token: from.token },
    remoteAddress: from.address ?? '192.0.2.1',
  })
const useUp = async (from: { token?: string; address?: string }) => {
  for (let calls = 0; calls < AUTH_CALLS_PER_MINUTE; calls++)
    expect((await call('/sign-in/', from)).statusCode).toBe(200)
}

test('a caller over the limit gets 429 and the time to wait', async () => {
  await useUp({ address: '192.0.2.1' })
  const refused = await call('/sign-in/', { address: '192.0.2.1' })
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toMatchObject({ status: 'error', code: 'rate_limited' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
})

test('each address, each token and each class of route has its own limit', async () => {
  await useUp({ token: 'first', address: '192.0.2.2' })
  expect((await call('/sign-in/', { token: 'first', address: '192.0.2.3' })).statusCode).toBe(429)
  expect((await call('/sign-in/', { token: 'second', address: '192.0.2.2' })).statusCode).toBe(200)
  expect((await call('/sign-in/', { address: '192.0.2.2' })).statusCode).toBe(200)
  expect((await call('/read/', { token: 'first', address: '192.0.2.2' })).statusCode).toBe(200)
})
