import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { aUser, createTestApi, type TestApi } from '../testing/api.ts'
import { createTestDatabase, runAsOwner, type TestDatabase } from '../testing/database.ts'
import { giveWallet } from '../testing/plans.ts'
import { startTcpProxy, throughPort } from '../testing/tcp-proxy.ts'

let database: TestDatabase
let proxy: Awaited<ReturnType<typeof startTcpProxy>>
let api: TestApi
let user: Awaited<ReturnType<typeof aUser>>

beforeAll(async () => {
  database = await createTestDatabase()
  proxy = await startTcpProxy(database.ownerUrl)
  const url = throughPort(database.urls.api, proxy.port)
  api = await createTestApi({ database: { ...database, urls: { ...database.urls, api: url } } })
  user = await aUser(api)
  await giveWallet(api, user.number, '100')
})
afterAll(async () => {
  await api.close()
})

const name = () => new URL(database.ownerUrl).pathname.slice(1)
/** In another database of the same server, because this one becomes read-only. */
const asOwner = (statement: string) => runAsOwner(inject('postgres').ownerUrl, statement)
const detail = () =>
  api.http.inject({ method: 'POST', url: '/api/detail/', payload: {}, headers: { token: user.token } })
/** With one key for all attempts, as the web app does. */
const deposit = () =>
  api.http.inject({
    method: 'POST',
    url: '/api/betwallet/',
    payload: { direction: 'deposit', amount: '1', source: 'wallet' },
    headers: { token: user.token, 'idempotency-key': 'one-deposit' },
  })

/** Ends all connections, so that the next call opens a new one. */
const endConnections = () =>
  asOwner(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name()}' and pid <> pg_backend_pid()`,
  )

function expect503(reply: { statusCode: number; headers: object; body: string }): void {
  const { status, code, Msg } = JSON.parse(reply.body)
  expect([reply.statusCode, status, code]).toEqual([503, 'error', 'unavailable'])
  expect(Msg).toBe('The service is restarting. Nothing was lost: try again.')
  expect(reply.headers).toHaveProperty('retry-after', '2')
}

beforeEach(async () => {
  await expect.poll(async () => (await detail()).statusCode).toBe(200)
})

test('a connection that is cut during a statement, which pg reports without a code', async () => {
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  await client.query('begin; lock table sessions in access exclusive mode')
  const calls = [detail(), detail(), detail()]
  const blocked = async () =>
    (await client.query("select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"))
      .rows.length
  await expect.poll(blocked).toBeGreaterThan(0)
  proxy.cut()
  for (const reply of await Promise.all(calls)) expect503(reply)
  await client.query('rollback')
  await client.end()
})

test('a transfer into the bet wallet on a read-only server moves nothing, and succeeds when the server is writable', async () => {
  await asOwner(`alter database ${name()} set default_transaction_read_only = on`)
  await endConnections()
  await expect.poll(async () => (await detail()).statusCode).toBe(200)
  expect503(await deposit())
  await asOwner(`alter database ${name()} reset default_transaction_read_only`)
  await endConnections()
  await expect.poll(async () => (await deposit()).statusCode).toBe(200)
  expect((await detail()).json().data).toMatchObject({ wallet: '99', bet: '1' })
})

test('a server with too many connections', async () => {
  await asOwner(`alter database ${name()} connection limit 0`)
  await endConnections()
  await expect.poll(async () => (await detail()).body).toContain('unavailable')
  expect503(await detail())
  await asOwner(`alter database ${name()} connection limit -1`)
})

test('a server that refuses connections', async () => {
  await proxy.stop()
  await expect.poll(async () => (await detail()).body).toContain('unavailable')
  expect503(await detail())
})
