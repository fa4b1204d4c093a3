import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { backUp } from '../embedded/backup.ts'
import { startPostgres } from '../embedded/postgres.ts'
import { findHalt } from '../ledger/halt.ts'
import { createDb, createPool } from '../platform/db.ts'
import { migrate } from '../platform/migrate.ts'
import { testConfig } from '../testing/api.ts'
import { runOps } from './ops.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'wellplay-restore-'))
// PostgreSQL does not run as root and must be able to enter this folder.
chmodSync(dataDir, 0o755)
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test('a restored backup pays nothing until an operator resumes payouts', { timeout: 120_000 }, async () => {
  const backups = join(dataDir, 'backups')
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres') })
  await migrate(postgres.ownerUrl)
  await backUp(postgres.ownerUrl, backups)
  await postgres.stop()

  const said: string[] = []
  const ops = (url: string, ...args: string[]) =>
    runOps(
      args,
      () => testConfig(url),
      (text) => said.push(text),
      dataDir,
    )
  expect(await ops('', 'restore', backups)).toBe(0)
  expect(said.join()).toContain('Payouts and bets are paused')

  const restored = await startPostgres({ dataDir: join(dataDir, 'postgres') })
  const db = createDb(createPool(restored.ownerUrl, 1))
  expect(await findHalt(db)).toMatchObject({ source: 'operator', reason: expect.stringContaining('restored') })
  expect(await ops(restored.ownerUrl, 'resume', '--as', 'anna', '--why', 'the audit passed')).toBe(0)
  expect(await findHalt(db)).toBeUndefined()
  await db.destroy()
  await restored.stop()
})
