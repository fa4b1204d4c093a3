import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { backUp } from './backup.ts'
import { startPostgres } from './postgres.ts'
import { restore } from './restore.ts'

const folder = mkdtempSync(join(tmpdir(), 'wellplay-postgres-'))
// The database does not run as root and needs access to the folder.
chmodSync(folder, 0o755)
const [dataDir, backups] = [join(folder, 'data'), join(folder, 'backups')]
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return (await client.query(text).finally(() => client.end())).rows
}

/** Reads the rows of a restored server, and checks that it accepts new ones. */
async function contentsOf(dir: string): Promise<number[]> {
  const postgres = await startPostgres({ dataDir: dir })
  try {
    const rows = await query(postgres.ownerUrl, 'select value from kept order by value')
    await query(postgres.ownerUrl, 'insert into kept values (99)')
    return rows.map(({ value }) => value)
  } finally {
    await postgres.stop()
  }
}

test('a backup of a busy server can be restored to a point in time, to the end of its WAL, and over damaged data', {
  timeout: 240_000,
}, async () => {
  const postgres = await startPostgres({ dataDir })
  const { ownerUrl } = postgres
  await query(ownerUrl, 'create table kept (value int); insert into kept values (1)')
  const busy = query(ownerUrl, 'create table noise as select n, md5(n::text) from generate_series(1, 200000) n')
  const base = await backUp(ownerUrl, backups)
  await busy
  expect(existsSync(join(base, 'cluster', 'backup_label'))).toBe(true)
  await query(ownerUrl, 'insert into kept values (2)')
  const [{ now }] = (await query(ownerUrl, 'select clock_timestamp() as now')) as [{ now: Date }]
  const instant = new Date(now.getTime() + 1)
  await query(ownerUrl, 'select pg_sleep(0.01); insert into kept values (3)')
  await query(ownerUrl, 'select pg_switch_wal()')
  await query(ownerUrl, 'insert into kept values (4)')
  await postgres.stop()

  await restore({ from: base, dataDir: join(folder, 'then'), to: instant })
  expect(await contentsOf(join(folder, 'then'))).toEqual([1, 2])

  rmSync(join(dataDir, 'cluster', 'base'), { recursive: true })
  const { aside } = await restore({ from: backups, dataDir })
  expect(existsSync(aside ?? '')).toBe(true)
  expect(await contentsOf(dataDir)).toEqual([1, 2, 3, 4])
})

test('without a backup, restoring changes nothing', async () => {
  await expect(restore({ from: join(folder, 'nowhere'), dataDir })).rejects.toThrow('There is no backup')
  expect(await contentsOf(dataDir)).toContain(99)
})
