import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { createChain } from '../src/server/chain/client.ts'
import { createDb, createPool } from '../src/server/platform/db.ts'
import { connectEvents } from '../src/server/platform/event-connection.ts'
import { publish } from '../src/server/platform/events.ts'
import { createSchedule, HOUR_MS } from '../src/server/platform/jobs.ts'
import { createLog } from '../src/server/platform/log.ts'
import { aUser, createTestApi, testConfig } from '../src/server/testing/api.ts'
import { createTestDatabase, runAsOwner, type TestDatabase } from '../src/server/testing/database.ts'
import { startTcpProxy, throughPort } from '../src/server/testing/tcp-proxy.ts'

let database: TestDatabase
const stops: (() => Promise<void>)[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
  await database.drop()
})

/** A proxy in front of the database, and a login that goes through it. */
async function startProxy(url: string) {
  const proxy = await startTcpProxy(url)
  stops.push(() => proxy.stop())
  return { proxy, url: throughPort(url, proxy.port) }
}

/** An API whose connections go through a proxy. Several of each kind are open and idle. */
async function startProxiedApi() {
  const own = await createTestDatabase()
  const { proxy, url } = await startProxy(own.urls.api)
  const api = await createTestApi({ database: { ...own, urls: { ...own.urls, api: url } } })
  stops.push(() => api.close())
  const { token } = await aUser(api)
  /** Calls that use the connections for money, for reads and for visitors. */
  const calls = [
    () => api.send('POST', '/referral_privacy/', { hide: true }, { token }),
    () => api.send('POST', '/detail/', {}, { token }),
    () => api.send('GET', '/trust/halt/'),
  ]
  const all = await Promise.all(calls.flatMap((call) => Array.from({ length: 12 }, call)))
  const statuses = new Set(all.map(({ status }) => status))
  if (statuses.size !== 1 || !statuses.has(200)) throw new Error(`Calls got ${[...statuses]}`)
  return { proxy, api, token, calls }
}

/** Each test waits for a time limit, has its own proxy and needs no processor, so they wait together. */
describe.concurrent('a connection that becomes silent', () => {
  test('when all connections become silent, calls get 503, and succeed as soon as the database is back', async ({
    expect,
  }) => {
    const { proxy, calls } = await startProxiedApi()
    proxy.swallow()
    const began = performance.now()
    for (const { status, body } of await Promise.all(calls.map((call) => call())))
      expect([status, body.code]).toEqual([503, 'unavailable'])
    proxy.pass()
    for (const call of calls) await expect.poll(async () => (await call()).status).toBe(200)
    console.log(`silent, and back again after ${((performance.now() - began) / 1000).toFixed(1)} s`)
  })

  test('idle connections that were lost are closed together, not found one by one', async ({ expect }) => {
    const { proxy, api, token } = await startProxiedApi()
    proxy.swallow()
    proxy.pass()
    const statuses: number[] = []
    for (let count = 0; count < 6; count++) statuses.push((await api.send('POST', '/detail/', {}, { token })).status)
    expect(statuses.slice(-3)).toEqual([200, 200, 200])
  })

  test('a listener whose connection became silent reconnects and hears events again', async ({ expect }) => {
    const { proxy, url } = await startProxy(database.appUrl)
    const db = createDb(createPool(database.appUrl, 1))
    const heard: string[] = []
    const events = connectEvents(url, createLog('silent', 'test'))
    events.subscribe(({ topic }) => heard.push(topic))
    await expect.poll(() => heard).toEqual(['resync'])
    proxy.swallow()
    proxy.pass()
    await expect.poll(() => heard).toEqual(['resync', 'resync'])
    await publish(db, { topic: 'news' })
    await expect.poll(() => heard).toContain('news')
    await events.stop()
    await db.destroy()
  })

  test('a job runs again after the connection of the schedule became silent', async ({ expect }) => {
    const { proxy, url } = await startProxy(database.appUrl)
    const schedule = createSchedule(url)
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

  test('a node that sends half of its reply and then nothing is given up', async ({ expect }) => {
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
})
