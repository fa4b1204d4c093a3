import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createContext } from '../context.ts'
import { backUp } from '../embedded/backup.ts'
import { startPostgres } from '../embedded/postgres.ts'
import { findHalt } from '../ledger/halt.ts'
import { migrate } from '../platform/migrate.ts'
import { testConfig } from '../testing/api.ts'
import { enrollTestOperators, testOperators, waitingId } from '../testing/ops.ts'
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
  const ops = (url: string, args: string[], operatorKey?: string) =>
    runOps(args, { settings: () => testConfig(url), write: (text) => said.push(text), dataDir, operatorKey })
  expect(await ops('', ['restore', backups])).toBe(0)
  expect(said.join()).toContain('Payouts and bets are paused')

  const restored = await startPostgres({ dataDir: join(dataDir, 'postgres') })
  const { context, close } = createContext(testConfig(restored.urls.operator), 'test')
  const { db } = context
  expect(await findHalt(db)).toMatchObject({ source: 'operator', reason: expect.stringContaining('restored') })
  await enrollTestOperators(context)
  const { anna, ben } = testOperators
  expect(await ops(restored.urls.operator, ['resume', '--why', 'the audit passed'], anna)).toBe(0)
  expect(await findHalt(db)).toBeDefined()
  expect(await ops(restored.urls.operator, ['approve', waitingId(said.at(-1) ?? '')], ben)).toBe(0)
  expect(await findHalt(db)).toBeUndefined()
  await close()
  await restored.stop()
})
