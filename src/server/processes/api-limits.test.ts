import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '../../protocol/users.ts'
import { aUser, createTestApi, createTestWallet, type TestApi } from '../testing/api.ts'

/** The whole API with rate limits, behind HTTPS and one proxy. */
const AUTH_CALLS = 60
const MONEY_CALLS = 120
const GUEST_CALLS = 20
const GUEST_CALLS_OF_ALL = 300
const PROXY = '10.0.0.1'
const someWallet = () => ({ wallet_address: `0x${randomBytes(20).toString('hex')}` })

let api: TestApi
beforeAll(async () => {
  const settings = { RATE_LIMITS: 'on', PUBLIC_URL: 'https://play.example', TRUSTED_PROXIES: '10.0.0.0/8' }
  api = await createTestApi({ settings })
})
afterAll(() => api.close())

type Sent = { url?: string; address: string; headers?: Record<string, string>; payload?: object }

const send = ({ url = '/api/auth/nonce/', address, headers = {}, payload = someWallet() }: Sent) =>
  api.http.inject({ method: 'POST', url, payload, headers, remoteAddress: address })

/** Sends the same call `times` and returns how often each status came back. */
async function repeat(times: number, call: (at: number) => Sent): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  for (let at = 0; at < times; at++) {
    const { statusCode } = await send(call(at))
    statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
  }
  return statuses
}

test('a caller over the limit gets 429 and the time to wait; other addresses do not', async () => {
  const address = '192.0.2.1'
  expect(await repeat(AUTH_CALLS, () => ({ address }))).toEqual({ 200: AUTH_CALLS })
  const refused = await send({ address })
  expect(refused.json()).toMatchObject({ status: 'error', code: 'rate_limited' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
  expect((await send({ address: '192.0.2.2' })).statusCode).toBe(200)
})

const bypasses: [string, (at: number) => Sent][] = [
  [
    'a new random token each time',
    () => ({ address: '192.0.2.11', headers: { token: randomBytes(32).toString('base64url') } }),
  ],
  [
    'a new X-Forwarded-For each time',
    (at) => ({ address: '192.0.2.12', headers: { 'x-forwarded-for': `198.51.100.${at}` } }),
  ],
  [
    'a new X-Forwarded-For each time, sent through the proxy',
    (at) => ({ address: PROXY, headers: { 'x-forwarded-for': `198.51.100.${at}, 192.0.2.13` } }),
  ],
  ['an encoded path', () => ({ address: '192.0.2.14', url: '/%61pi/auth/nonce/' })],
  ['a new spelling of the path each time', (at) => ({ address: '192.0.2.15', url: spell('/api/auth/nonce', at) })],
  ['a new IPv6 address of one subscriber each time', (at) => ({ address: `2001:db8:0:7::${at.toString(16)}` })],
]
const spell = (path: string, at: number) =>
  path.replace(/\w/g, (letter, place: number) => encode(letter, (at >> (place % 8)) & 1))
const encode = (letter: string, isEncoded: number) => (isEncoded ? `%${letter.charCodeAt(0).toString(16)}` : letter)

test.each(bypasses)('%s does not get around the limit', async (_name, call) => {
  expect(await repeat(AUTH_CALLS + 20, call)).toEqual({ 200: AUTH_CALLS, 429: 20 })
})

test('behind the proxy, each caller has their own limit', async () => {
  const from = (caller: string) => ({ address: PROXY, headers: { 'x-forwarded-for': caller } })
  expect(await repeat(AUTH_CALLS + 1, () => from('192.0.2.21'))).toEqual({ 200: AUTH_CALLS, 429: 1 })
  expect((await send(from('192.0.2.22'))).statusCode).toBe(200)
})

test('a live session has its own limit, wherever it is used, and an ended one counts for the address', async () => {
  const user = await aUser(api)
  const address = '192.0.2.31'
  const call = (token: string): Sent => ({ url: '/api/auth/me/', payload: {}, address, headers: { token } })
  const bet = (token: string, from = address): Sent => ({ ...call(token), url: '/api/place-bet/', address: from })
  await repeat(MONEY_CALLS, () => bet(''))
  expect((await send(bet(''))).statusCode).toBe(429)
  expect(await repeat(MONEY_CALLS + 1, () => bet(user.token))).toEqual({ 400: MONEY_CALLS, 429: 1 })
  expect((await send(bet(user.token, '192.0.2.32'))).statusCode).toBe(429)
  expect((await send(call(user.token))).statusCode).toBe(200)
  const second = await api.call(users.login, await user.wallet.signIn(api))
  expect((await send(bet(second.token))).statusCode).toBe(429)
  await send({ ...call(user.token), url: '/api/auth/logout/' })
  expect((await send(bet(user.token))).statusCode).toBe(429)
  expect((await send(bet(user.token, '192.0.2.33'))).statusCode).toBe(400)
})

test('requests for a nonce by anyone else do not lock a wallet out of sign-in', async () => {
  const wallet = createTestWallet()
  const attack = (at: number) => ({ address: `198.51.100.${at % 3}`, payload: { wallet_address: wallet.address } })
  expect(await repeat(3 * AUTH_CALLS, attack)).toEqual({ 200: 3 * AUTH_CALLS })
  const nonce = await send({ address: '192.0.2.41', payload: { wallet_address: wallet.address } })
  expect(nonce.statusCode).toBe(200)
})

test('self-exclusion and limits work while bets are over their limit', async () => {
  const { token } = await aUser(api)
  const call = (path: string, payload: object): Sent => ({
    url: `/api${path}`,
    payload,
    address: '192.0.2.51',
    headers: { token },
  })
  expect(await repeat(MONEY_CALLS + 1, () => call('/place-bet/', {}))).toMatchObject({ 429: 1 })
  expect((await send(call('/colour/limits/', { kind: 'loss', amount: '5' }))).statusCode).toBe(200)
  expect((await send(call('/colour/exclusion/', { days: 7 }))).statusCode).toBe(200)
})

test('a flood of games without an account is limited per address and for all visitors together', async () => {
  const start = (address: string) => ({ address, url: '/api/quiz/guest/start/', payload: {} })
  expect(await repeat(GUEST_CALLS + 5, () => start('192.0.2.90'))).toEqual({ 200: GUEST_CALLS, 429: 5 })
  const others = GUEST_CALLS_OF_ALL - GUEST_CALLS
  const replies = await Promise.all(
    Array.from({ length: others + 5 }, (_, at) => send(start(`198.18.${at >> 8}.${at & 255}`))),
  )
  expect(replies.filter(({ statusCode }) => statusCode === 429)).toHaveLength(5)
  // Neither users nor sign-in are affected.
  expect((await send({ address: '192.0.2.90' })).statusCode).toBe(200)
  const { rows } = await sql<{ count: number }>`select count(*)::int from quiz_guest_games`.execute(api.context.db)
  expect(rows[0]?.count).toBe(GUEST_CALLS_OF_ALL)
})
