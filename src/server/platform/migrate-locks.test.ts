import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { migrate } from './migrate.ts'

/** Migrations while the product is in use: a report that takes long holds a lock, and other readers come and go. */
let database: TestDatabase
let folder: string
let report: pg.Client
let reader: pg.Client
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const run = (lockWaitMsMax?: number) => migrate(database.ownerUrl, folder, lockWaitMsMax)
const trigger = (table: string) =>
  `create or replace trigger keep before delete on ${table} for each row execute function keep();`
const functions = `create or replace function keep() returns trigger language plpgsql as $$ begin return null; end $$;
  create or replace function twice(value int) returns int language sql return value * 2;
  ${trigger('things')} ${trigger('zebras')}`

beforeEach(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'wellplay-migrations-'))
  mkdirSync(join(folder, 'functions'))
  report = await connect()
  // A reader that had to wait for the report would fail: nothing else ends it.
  reader = await connect({ statement_timeout: 20_000 })
  await report.query('delete from migrations; delete from function_files')
  write('0001_things.sql', 'create table things (value int); create table zebras (value int)')
  write('functions/things.sql', functions)
  await run()
  await report.query('begin; select from things')
  return async () => {
    await Promise.all([report.end(), reader.end()])
    rmSync(folder, { recursive: true })
    await database.drop()
  }
})

async function connect(settings: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.ownerUrl, ...settings })
  await client.connect()
  return client
}

/** Waits until a migration waits for the lock that the report holds. */
const migrationWaits = () =>
  expect
    .poll(
      async () =>
        (await reader.query("select from pg_locks where relation = 'things'::regclass and not granted")).rowCount,
    )
    .toBe(1)

const columns = async () => (await reader.query('select * from things')).fields.map(({ name }) => name)

test('a table that a long report holds is changed after it; readers do not wait for either; two processes do it once', async () => {
  write('0002_more.sql', 'alter table zebras add column other int; alter table things add column other int')
  const runs = Promise.all([run(), run()])
  await migrationWaits()
  expect(await columns()).toEqual(['value'])
  expect((await reader.query('select * from zebras')).rowCount).toBe(0)
  await report.query('commit')
  expect((await runs).flat()).toEqual(['0002_more.sql', 'functions/things.sql'])
  expect(await columns()).toEqual(['value', 'other'])
})

test('functions that must be dropped first do not block readers while they wait', async () => {
  write('functions/things.sql', functions.replace('returns int', 'returns numeric'))
  const running = run()
  await migrationWaits()
  expect(await columns()).toEqual(['value'])
  expect((await reader.query('select * from zebras')).rowCount).toBe(0)
  await report.query('commit')
  expect(await running).toEqual(['functions/things.sql'])
  expect((await reader.query('select pg_typeof(twice(1))::text as type')).rows).toEqual([{ type: 'numeric' }])
})

test('a migration that never gets its lock says so, and has changed nothing', async () => {
  write('0002_more.sql', 'alter table zebras add column other int; alter table things add column other int')
  await expect(run(0)).rejects.toThrow(/^A migration needs a table that another connection keeps locked\./)
  expect(await columns()).toEqual(['value'])
  const { rows } = await reader.query('select name from migrations order by name')
  expect(rows).toEqual([{ name: '0001_things.sql' }])
})
