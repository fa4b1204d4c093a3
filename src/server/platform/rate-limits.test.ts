import { expect, test } from 'vitest'
import { nothing, type Route, route } from '../../protocol/route.ts'
import { createHttp, mountRoute } from './http.ts'
import { createLog } from './log.ts'
import { isNetwork, networkOf } from './network.ts'
import { createRateCounter } from './rate-counter.ts'
import { limitRates } from './rate-limits.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['1::2:3:4:5:6', '1:0:0:2::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s belongs to the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('a trusted proxy is an address or a range, and nothing else', () => {
  for (const network of ['127.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32']) expect(isNetwork(network)).toBe(true)
  for (const network of ['', 'localhost', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0/8', '::1/129', 'true', '*'])
    expect(isNetwork(network)).toBe(false)
})

test('a window starts with its first call and ends a minute later', async () => {
  let now = 0
  const counter = createRateCounter({ nowMs: () => now })
  expect(await counter.add('a', 9)).toEqual({ calls: 1, resetsInMs: 60_000 })
  now = 59_999
  expect(await counter.add('a', 9)).toEqual({ calls: 2, resetsInMs: 1 })
  expect(await counter.add('b', 9)).toEqual({ calls: 1, resetsInMs: 60_000 })
  now = 60_000
  expect(await counter.add('a', 9)).toEqual({ calls: 1, resetsInMs: 60_000 })
  expect(await counter.add('b', 9)).toEqual({ calls: 2, resetsInMs: 59_999 })
})

test('the counters of a million callers take bounded memory', async () => {
  let now = 0
  const counter = createRateCounter({ keysMax: 1_000, nowMs: () => now })
  for (let caller = 0; caller < 1_000_000; caller++) await counter.add(`caller ${caller}`, 9)
  expect(counter.size()).toBe(1_000)
  expect(await counter.add('caller 999999', 9)).toMatchObject({ calls: 2 })
  now = 60_000
  await counter.add('later', 9)
  expect(counter.size()).toBe(1)
})

test('many accounts at one address share a limit, except for calls that protect a user', async () => {
  const http = await createHttp(createLog('silent', 'test'), { secure: false })
  limitRates(http, createRateCounter(), async ({ headers }) => Number(headers['user']))
  const call = (limit: Route['limit']) =>
    route({ method: 'GET', path: `/${limit}/`, summary: '', auth: 'none', limit, input: nothing, output: nothing })
  for (const limit of ['auth', 'protect'] as const) mountRoute(http, call(limit), async () => ({}))
  const statusOf = async (limit: Route['limit'], user: number) =>
    (await http.inject({ url: `/api/${limit}/`, headers: { user: String(user) } })).statusCode
  for (const limit of ['auth', 'protect'] as const)
    for (let at = 0; at < 20 * 60; at++) expect(await statusOf(limit, at % 20)).toBe(200)
  expect(await statusOf('auth', 21)).toBe(429)
  expect(await statusOf('protect', 21)).toBe(200)
  expect(await statusOf('protect', 1)).toBe(429)
  await http.close()
})
