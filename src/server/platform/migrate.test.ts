import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { migrate } from './migrate.ts'

let database: TestDatabase
let folder: string
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

beforeEach(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'wellplay-migrations-'))
  await onDatabase('delete from migrations; delete from function_files')
  write('0001_first.sql', 'create table first_one (value int)')
  return async () => {
    rmSync(folder, { recursive: true })
    await database.drop()
  }
})

async function onDatabase(text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  return client.query(text).finally(() => client.end())
}

test('each file is applied once and in order, even if several processes start together', async () => {
  write('0002_second.sql', 'alter table first_one add column other int')
  const runs = await Promise.all([1, 2, 3].map(() => migrate(database.ownerUrl, folder)))
  expect(runs.flat().sort()).toEqual(['0001_first.sql', '0002_second.sql'])
  expect(await migrate(database.ownerUrl, folder)).toEqual([])
  write('0003_third.sql', 'drop table first_one')
  expect(await migrate(database.ownerUrl, folder)).toEqual(['0003_third.sql'])
})

test('a file changed after it was applied is refused', async () => {
  await migrate(database.ownerUrl, folder)
  write('0001_first.sql', 'create table first_one (value bigint)')
  await expect(migrate(database.ownerUrl, folder)).rejects.toThrow('0001_first.sql was changed')
})

test('a database of a newer version, a file between applied ones and a duplicate number are refused', async () => {
  write('0003_third.sql', 'select 1')
  await migrate(database.ownerUrl, folder)
  rmSync(join(folder, '0003_third.sql'))
  await expect(migrate(database.ownerUrl, folder)).rejects.toThrow('does not know')
  write('0003_third.sql', 'select 1')
  write('0002_second.sql', 'select 1')
  await expect(migrate(database.ownerUrl, folder)).rejects.toThrow('0002_second.sql comes before 0003_third.sql')
  write('0002_other.sql', 'select 1')
  await expect(migrate(database.ownerUrl, folder)).rejects.toThrow('number 0002')
})

test('a file that fails is rolled back completely', async () => {
  write('0002_broken.sql', 'create table half (value int); select 1 / 0')
  await expect(migrate(database.ownerUrl, folder)).rejects.toThrow('0002_broken.sql failed: division by zero')
  const { rows } = await onDatabase("select to_regclass('half') as half, to_regclass('first_one') as first_one")
  expect(rows).toEqual([{ half: null, first_one: 'first_one' }])
})
