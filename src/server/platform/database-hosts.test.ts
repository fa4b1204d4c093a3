import { expect, test } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import { startTcpProxy } from '../testing/tcp-proxy.ts'
import { hostUrls } from './database-hosts.ts'
import { createPool } from './db.ts'

test('a URL with several hosts is one URL for each of them', () => {
  expect(hostUrls('postgres://me:a%2Cb@db1:5432,db2:5433/wellplay?target_session_attrs=read-write')).toEqual([
    'postgres://me:a%2Cb@db1:5432/wellplay?target_session_attrs=read-write',
    'postgres://me:a%2Cb@db2:5433/wellplay?target_session_attrs=read-write',
  ])
  expect(hostUrls('postgresql://db1/wellplay')).toEqual(['postgresql://db1/wellplay'])
  for (const wrong of ['', 'http://db1/wellplay', 'postgres:///wellplay', 'postgres://db1:x,db2/wellplay', 'db1,db2'])
    expect(hostUrls(wrong)).toEqual([])
})

/** The same server behind two proxies, of which the first can pretend to be a standby. */
async function startPair() {
  const database = await createTestDatabase()
  const standby = { isOn: false }
  // Changes the value in the reply, and keeps its length.
  const rewrite = (bytes: Buffer) =>
    standby.isOn && bytes.includes('transaction_read_only')
      ? Buffer.from(bytes.toString('latin1').replace('\u0003off', '\u0003on '), 'latin1')
      : bytes
  const [first, second] = [await startTcpProxy(database.ownerUrl, { rewrite }), await startTcpProxy(database.ownerUrl)]
  const url = database.ownerUrl.replace(/@[^/]+/, `@127.0.0.1:${first.port},127.0.0.1:${second.port}`)
  const pool = createPool(`${url}?target_session_attrs=read-write`, 4)
  return { database, standby, first, second, pool }
}

test('connections go to the writable host, and to the other one after it failed', async () => {
  const { database, standby, first, second, pool } = await startPair()
  const write = () => pool.query('create table if not exists written (value int)')
  standby.isOn = true
  await write()
  // The connections that asked for the writable host are closed in the background.
  await expect.poll(() => [first.connections(), second.connections()]).toEqual([0, 1])

  standby.isOn = false
  await second.stop()
  await expect
    .poll(() =>
      write().then(
        () => 'written',
        () => 'failed',
      ),
    )
    .toBe('written')
  await expect.poll(() => first.connections()).toBe(1)

  await first.stop()
  await expect.poll(() => write().catch((error: Error) => error.message)).toContain('ECONNREFUSED')
  await pool.end()
  await database.drop()
})

test('a connection to a server that became read-only is closed, although a transaction released it to the pool', async () => {
  const { database, first, second, pool } = await startPair()
  const client = await pool.connect()
  await client.query('set default_transaction_read_only = on')
  await expect(client.query('create table written (value int)')).rejects.toThrow('read-only')
  client.release()
  await expect.poll(() => pool.totalCount).toBe(0)
  await pool.query('create table written (value int)')
  await pool.end()
  await first.stop()
  await second.stop()
  await database.drop()
})
