import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { migrate } from './migrate.ts'
import { StartError } from './start-error.ts'

const OUR_MIGRATIONS = join(import.meta.dirname, '../../../migrations')

let database: TestDatabase
let folder: string
let client: pg.Client

beforeEach(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'wellplay-migrations-'))
  mkdirSync(join(folder, 'functions'))
  client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  return async () => {
    await client.end()
    rmSync(folder, { recursive: true })
    await database.drop()
  }
})

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const run = () => migrate(database.ownerUrl, folder)
async function read(text: string): Promise<unknown> {
  return Object.values((await client.query(text)).rows[0])[0]
}
const listApplied = async () => (await client.query('select name, applied_at from function_files order by name')).rows

describe('a copy of our migrations', () => {
  beforeEach(() => cpSync(OUR_MIGRATIONS, folder, { recursive: true }))

  test('changes nothing if no file changed', async () => {
    const before = await listApplied()
    const version = await read(`select xmin::text from pg_proc where proname = 'refuse_change'`)
    expect(await run()).toEqual([])
    expect(await listApplied()).toEqual(before)
    expect(await read(`select xmin::text from pg_proc where proname = 'refuse_change'`)).toBe(version)
  })

  test('applies only the changed file again, and only once if several processes start together', async () => {
    const before = await listApplied()
    const text = readFileSync(join(folder, 'functions/colour.sql'), 'utf8')
    write('functions/colour.sql', `${text}\ncreate or replace function colour_probe() returns int return 25;`)
    const runs = await Promise.all([run(), run(), run()])
    expect(runs.flat()).toEqual(['functions/colour.sql'])
    expect(await read('select colour_probe()')).toBe(25)
    const isOther = ({ name }: { name: string }) => name !== 'functions/colour.sql'
    expect((await listApplied()).filter(isOther)).toEqual(before.filter(isOther))
  })

  test('rolls everything back if a file is broken, and reports it in one sentence', async () => {
    const before = await listApplied()
    const ledger = readFileSync(join(folder, 'functions/ledger.sql'), 'utf8')
    write('functions/ledger.sql', ledger.replace('return 1152921504606846976', 'return 1152921504606846977'))
    write('functions/trust.sql', 'create or replace function broken() returns int language sql return nowhere')
    const failure = run()
    await expect(failure).rejects.toThrow(StartError)
    await expect(failure).rejects.toThrow(
      /^The migration functions\/trust\.sql failed: column "nowhere" does not exist$/,
    )
    expect(await read('select ledger_custody()')).toBe('1152921504606846976')
    expect(await listApplied()).toEqual(before)
  })
})

describe('a folder with one module', () => {
  const trigger = `create or replace function keep() returns trigger language plpgsql as $$ begin return null; end $$;
    create or replace trigger keep before delete on things for each row execute function keep();`
  const twice = `create or replace function twice(value int) returns int language sql return value * 2;
    create or replace view doubled as select twice(value) as value from things;`

  beforeEach(async () => {
    await client.query('delete from migrations; delete from function_files')
    write('0001_things.sql', 'create table things (value int); insert into things values (21)')
    write('functions/things.sql', trigger + twice)
    expect(await run()).toEqual(['0001_things.sql', 'functions/things.sql'])
  })

  const exists = `select to_regprocedure('twice(int)') is not null or to_regclass('doubled') is not null
    or exists (select from pg_trigger where tgname = 'keep')`

  test('objects that a file no longer defines are dropped', async () => {
    write('functions/things.sql', 'create or replace function other() returns int language sql return 1')
    await run()
    expect(await read(exists)).toBe(false)
    expect(await read('select other()')).toBe(1)
    rmSync(join(folder, 'functions/things.sql'))
    await run()
    expect(await read(`select to_regprocedure('other()')`)).toBeNull()
  })

  test('a function that moves to another file is kept', async () => {
    write('functions/things.sql', trigger)
    write('functions/things_doubled.sql', twice)
    expect(await run()).toEqual(['functions/things.sql', 'functions/things_doubled.sql'])
    expect(await read('select value from doubled')).toBe(42)
  })

  test('changed parameters replace the function instead of adding a second one', async () => {
    write('functions/things.sql', trigger + twice.replace('(value int)', '(value bigint)'))
    await run()
    expect(await read(`select array_agg(oid::regprocedure::text) from pg_proc where proname = 'twice'`)).toEqual([
      'twice(bigint)',
    ])
  })

  test.each([
    ['a new return type', twice.replace('returns int', 'returns numeric'), 'value', '42'],
    ['a renamed parameter', twice.replace('value int', 'number int').replace('value * 2', 'number * 3'), 'value', 63],
    ['a renamed view column', twice.replace('as value from', 'as twofold from'), 'twofold', 42],
  ])('%s works, although PostgreSQL cannot replace it in place', async (_, text, column, value) => {
    write('functions/things.sql', trigger + text)
    expect(await run()).toEqual(['functions/things.sql'])
    expect(await read(`select ${column} from doubled`)).toEqual(value)
    expect(await read(`select count(*)::int from pg_trigger where tgname = 'keep'`)).toBe(1)
  })

  test('removing a function that its file still uses is reported', async () => {
    write('functions/things.sql', trigger + twice.slice(twice.indexOf('create or replace view')))
    await expect(run()).rejects.toThrow('functions/things.sql failed: function twice(integer) does not exist')
    expect(await read('select value from doubled')).toBe(42)
  })

  test('removing a function that another object still uses is reported', async () => {
    await client.query('alter table things add check (twice(value) > 0)')
    write('functions/things.sql', trigger)
    const failure = run()
    await expect(failure).rejects.toThrow(StartError)
    await expect(failure).rejects.toThrow('still used: constraint things_value_check on table things depends on')
    expect(await read('select value from doubled')).toBe(42)
  })

  test('after a new table file all function files are applied again, because it may have dropped something', async () => {
    write('0002_things_by_name.sql', 'drop table things cascade; create table things (value int, name text)')
    expect(await run()).toEqual(['0002_things_by_name.sql', 'functions/things.sql'])
    expect(await read(exists)).toBe(true)
    expect(await read(`select count(*)::int from pg_trigger where tgname = 'keep'`)).toBe(1)
    expect(await run()).toEqual([])
  })

  test('a function file without a table file is refused', async () => {
    write('functions/stray.sql', 'select 1')
    await expect(run()).rejects.toThrow('functions/stray.sql has no table file with the same name.')
  })
})
