import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createChain } from '../src/server/chain/client.ts'
import { publish } from '../src/server/platform/events.ts'
import { createSchedule, HOUR_MS } from '../src/server/platform/jobs.ts'
import { aUser, createTestApi, type TestApi, testConfig } from '../src/server/testing/api.ts'
import { createTestDatabase, runAsOwner, type TestDatabase } from '../src/server/testing/database.ts'
import { startTcpProxy, throughPort } from '../src/server/testing/tcp-proxy.ts'

let database: TestDatabase
let proxy: Awaited<ReturnType<typeof startTcpProxy>>
let api: TestApi
let token: string

const proxied = (url: string) => throughPort(url, proxy.port)

/** An API whose connections go through a proxy. */
const createProxiedApi = () =>
  createTestApi({ database: { ...database, urls: { ...database.urls, api: proxied(database.urls.api) } } })

beforeAll(async () => {
  database = await createTestDatabase()
  proxy = await startTcpProxy(database.ownerUrl)
  api = await createProxiedApi()
  token = (await aUser(api)).token
})
afterAll(async () => {
  await api.close()
  await proxy.stop()
})

/** Calls that use the connections for money, for reads and for visitors. */
const calls = [
  () => api.send('POST', '/referral_privacy/', { hide: true }, { token }),
  () => api.send('POST', '/detail/', {}, { token }),
  () => api.send('GET', '/trust/halt/'),
]

/** Opens several connections of each kind, which are then idle. */
beforeEach(async () => {
  const all = calls.flatMap((call) => Array.from({ length: 12 }, call))
  expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]))
})
afterEach(async () => {
  proxy.pass()
  for (const call of calls) await expect.poll(async () => (await call()).status).toBe(200)
})

test('when all connections become silent, calls get 503, and succeed as soon as the database is back', async () => {
  proxy.swallow()
  const began = performance.now()
  for (const { status, body } of await Promise.all(calls.map((call) => call())))
    expect([status, body.code]).toEqual([503, 'unavailable'])
  proxy.pass()
  for (const call of calls) await expect.poll(async () => (await call()).status).toBe(200)
  console.log(`silent, and back again after ${((performance.now() - began) / 1000).toFixed(1)} s`)
})

test('idle connections that were lost are closed together, not found one by one', async () => {
  proxy.swallow()
  proxy.pass()
  const statuses: number[] = []
  for (let count = 0; count < 6; count++) statuses.push((await api.send('POST', '/detail/', {}, { token })).status)
  expect(statuses.slice(-3)).toEqual([200, 200, 200])
})

test('a listener whose connection became silent reconnects and hears events again', async () => {
  const heard: string[] = []
  const unsubscribe = api.context.events.subscribe(({ topic }) => heard.push(topic))
  proxy.swallow()
  proxy.pass()
  await expect.poll(() => heard).toContain('resync')
  await publish(api.context.db, { topic: 'news' })
  await expect.poll(() => heard).toContain('news')
  unsubscribe()
})

test('a job runs again after the connection of the schedule became silent', async () => {
  const schedule = createSchedule(proxied(database.appUrl))
  let runs = 0
  const loop = schedule.loopOf({ name: 'silent', everyMs: HOUR_MS, run: async () => void runs++ })
  await loop.run()
  await runAsOwner(database.ownerUrl, "update jobs set ran_at = '-infinity' where name = 'silent'")
  proxy.swallow()
  proxy.pass()
  await expect(loop.run()).rejects.toThrow('the database does not answer')
  await loop.run()
  expect(runs).toBe(1)
  await schedule.close()
})

test('a node that sends half of its reply and then nothing is given up', async () => {
  const node = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":"2.0",')
  })
  await new Promise<void>((listening) => node.listen(0, '127.0.0.1', listening))
  const { port } = node.address() as { port: number }
  const chain = createChain(testConfig(database.appUrl, { RPC_URL: `http://127.0.0.1:${port}` }).chain)
  await expect(chain.client.getBlockNumber()).rejects.toThrow('HTTP request failed')
  node.closeAllConnections()
  node.close()
})
