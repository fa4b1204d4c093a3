import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { migrate } from '../platform/migrate.ts'
import { type Postgres, startPostgres } from './postgres.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'wellplay-postgres-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client.query(text).finally(() => client.end().catch(() => {}))
}

function kill(postgres: Postgres): void {
  const pid = postgres.pid()
  if (!pid) throw new Error('the server is not running')
  process.kill(pid, 'SIGKILL')
}

test('the server restarts after kill −9, and committed data survives that and a stop', async () => {
  const first = await startPostgres({ dataDir })
  await query(first.ownerUrl, 'create table kept (value int); insert into kept values (42)')
  kill(first)
  const same = await vi.waitFor(() => query(first.ownerUrl, 'select value from kept'), { timeout: 30_000 })
  expect(same.rows).toEqual([{ value: 42 }])
  kill(first)
  await first.stop()

  const second = await startPostgres({ dataDir })
  expect((await query(second.ownerUrl, 'select value from kept')).rows).toEqual([{ value: 42 }])
  await second.stop()

  const third = await startPostgres({ dataDir })
  expect((await query(third.ownerUrl, 'select value from kept')).rows).toEqual([{ value: 42 }])
  await third.stop()
  await expect(query(third.ownerUrl, 'select 1')).rejects.toThrow('ECONNREFUSED')
})

test('a stale lock whose pid now belongs to another process does not keep the server from starting', async () => {
  const before = await startPostgres({ dataDir })
  const lock = join(dataDir, 'cluster', 'postmaster.pid')
  const text = readFileSync(lock, 'utf8')
  await before.stop()
  writeFileSync(lock, text.replace(/^\d+/, String(process.pid)))

  const after = await startPostgres({ dataDir })
  expect((await query(after.ownerUrl, 'select 1 as one')).rows).toEqual([{ one: 1 }])
  await after.stop()
})

test("the application's role reads and writes what it was granted and cannot create anything", async () => {
  const postgres = await startPostgres({ dataDir })
  await migrate(postgres.ownerUrl)
  await query(postgres.appUrl, "insert into jobs values ('a job', now())")
  expect((await query(postgres.appUrl, 'select name from jobs')).rows).toEqual([{ name: 'a job' }])
  await expect(query(postgres.appUrl, 'create schema mine')).rejects.toThrow('permission denied')
  await expect(query(postgres.appUrl, 'create table mine (value int)')).rejects.toThrow('permission denied')
  await expect(query(postgres.appUrl, 'delete from migrations')).rejects.toThrow('permission denied')
  await postgres.stop()
})
