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

test('databases on one server can be migrated at the same time, whether or not the roles exist', async () => {
  const postgres = await startPostgres({ dataDir })
  const names = ['one', 'two', 'three', 'four']
  for (const name of names) await query(postgres.ownerUrl, `create database ${name}`)
  const roles = 'wellplay_api, wellplay_worker, wellplay_seeds, wellplay_operator'
  await query(postgres.ownerUrl, `drop role ${roles}`)
  const url = (name: string) => Object.assign(new URL(postgres.ownerUrl), { pathname: `/${name}` }).toString()
  await Promise.all(names.map((name) => migrate(url(name))))
  const { rows } = await query(
    url('four'),
    `select rolname, rolcanlogin, pg_has_role(oid, 'wellplay_app', 'member') as reads from pg_roles
     where rolname in ('${roles.replaceAll(', ', "', '")}') order by rolname`,
  )
  expect(rows).toEqual([
    { rolname: 'wellplay_api', rolcanlogin: false, reads: true },
    { rolname: 'wellplay_operator', rolcanlogin: false, reads: true },
    { rolname: 'wellplay_seeds', rolcanlogin: false, reads: false },
    { rolname: 'wellplay_worker', rolcanlogin: false, reads: true },
  ])
  await postgres.stop()
})

test('the role of a process reads and writes what it was granted and cannot create anything', async () => {
  const postgres = await startPostgres({ dataDir })
  await migrate(postgres.ownerUrl)
  await query(postgres.urls.worker, "insert into jobs values ('a job', now())")
  expect((await query(postgres.urls.worker, 'select name from jobs')).rows).toEqual([{ name: 'a job' }])
  await expect(query(postgres.urls.worker, 'create schema mine')).rejects.toThrow('permission denied')
  await expect(query(postgres.urls.worker, 'create table mine (value int)')).rejects.toThrow('permission denied')
  await expect(query(postgres.urls.worker, 'delete from migrations')).rejects.toThrow('permission denied')
  await postgres.stop()
})
