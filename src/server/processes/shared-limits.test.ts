import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../embedded/postgres.ts'
import { aUser, createTestApi, type TestApi, testSettings } from '../testing/api.ts'
import { type Spawned, spawnProcess } from '../testing/processes.ts'
import { startTcpProxy, throughPort } from '../testing/tcp-proxy.ts'

/** Three real API processes with rate limits, on one database that can fall silent. */
const PROCESSES = 3
const LIMITS = { auth: 60, money: 120, read: 600 }
/** What one process takes at once for calls that are not counted exactly. */
const READ_BLOCK = 30

let api: TestApi
let proxy: Awaited<ReturnType<typeof startTcpProxy>>
const started: { port: number; running: Spawned }[] = []
beforeAll(async () => {
  api = await createTestApi()
  proxy = await startTcpProxy(api.database.ownerUrl)
  for (let at = 0; at < PROCESSES; at++) {
    const port = await freePort()
    const settings = {
      ...testSettings(throughPort(api.database.urls.api, proxy.port)),
      PORT: String(port),
      RATE_LIMITS: 'on',
      TRUSTED_PROXIES: '127.0.0.1',
    }
    started.push({ port, running: spawnProcess('api', settings) })
  }
  for (const { port, running } of started)
    await vi.waitFor(
      async () => expect(await fetch(`http://127.0.0.1:${port}/readyz`), running.output()).toMatchObject({ ok: true }),
      { timeout: 60_000, interval: 200 },
    )
})
afterAll(async () => {
  for (const { running } of started) running.child.kill('SIGKILL')
  await proxy.stop()
  await api.close()
})

type Call = { path: string; address: string; body?: object; token?: string }

/** Sends one call to the process at this place, as the balancer in front of it would. */
async function send(place: number, { path, address, body, token }: Call): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${started[place % PROCESSES]?.port}${path}`, {
    headers: {
      'x-forwarded-for': address,
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { token }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  await reply.arrayBuffer()
  return reply.status
}

/** Sends `times` calls, 30 at a time, and counts those that were not refused with 429. */
async function countAllowed(times: number, call: Call, placeOf = (at: number) => at): Promise<number> {
  let [next, allowed] = [0, 0]
  async function caller(): Promise<void> {
    while (next < times) {
      const status = await send(placeOf(next++), call)
      if (status >= 500) throw new Error(`status ${status}`)
      if (status !== 429) allowed++
    }
  }
  await Promise.all(Array.from({ length: 30 }, caller))
  return allowed
}

const nonce = (address: string): Call => ({
  path: '/api/auth/nonce/',
  address,
  body: { wallet_address: `0x${'5'.repeat(40)}` },
})
const missing = (address: string): Call => ({ path: '/api/missing/', address })

test('three processes allow a visitor exactly as many sign-in calls as one', async () => {
  expect(await countAllowed(3 * LIMITS.auth, nonce('192.0.2.1'))).toBe(LIMITS.auth)
  expect(await countAllowed(1, nonce('192.0.2.2'))).toBe(1)
})

test('three processes allow a user exactly as many calls that move money as one', async () => {
  const { token } = await aUser(api)
  const bet = { path: '/api/place-bet/', address: '192.0.2.3', body: {}, token }
  expect(await countAllowed(3 * LIMITS.money, bet)).toBe(LIMITS.money)
})

test('three processes allow a visitor exactly as many reads as one', async () => {
  expect(await countAllowed(2 * LIMITS.read, missing('192.0.2.4'))).toBe(LIMITS.read)
})

test('a visitor who leaves a process with numbers is refused early, but never late', async () => {
  const call = missing('192.0.2.5')
  const allowed = (await countAllowed(2, call)) + (await countAllowed(LIMITS.read, call, () => 2))
  expect(allowed).toBe(LIMITS.read - (PROCESSES - 1) * (READ_BLOCK - 1))
})

test('a refused caller costs no query', async () => {
  const calls = async () => (await sql`select sum(calls) from rate_counts`.execute(api.context.db)).rows
  const call = nonce('192.0.2.6')
  await countAllowed(LIMITS.auth + 1, call, () => 0)
  const before = await calls()
  expect(await countAllowed(100, call, () => 0)).toBe(0)
  expect(await calls()).toEqual(before)
})

test('while the database does not answer, each process limits alone, and does not wait for it', async () => {
  proxy.swallow()
  const allowed = await countAllowed(LIMITS.read + 100, missing('192.0.2.7'), () => 0)
  expect(allowed).toBe(LIMITS.read)
  proxy.pass()
  const isShared = async () => {
    const address = `2001:db8:0:${Math.floor(Math.random() * 65_536).toString(16)}::1`
    return countAllowed(2 * LIMITS.auth, nonce(address))
  }
  await expect.poll(isShared, { interval: 500 }).toBe(LIMITS.auth)
})
