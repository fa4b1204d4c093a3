import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type LoginName, startPostgres } from '../embedded/postgres.ts'
import { migrate } from '../platform/migrate.ts'
import { createAppLogin, runAsOwner, withDatabase } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { ownerUrl: string; appUrl: string; urls: Record<LoginName, string>; template: string }
  }
}

const OUR_FOLDERS =
  /^wellplay-(test|journeys|start|anvil|chain|postgres|lock|migrations|schema|replicas|stop|crashes|rolling|pgbouncer)-\w{6}$/
const DAY_MS = 86_400_000
const TEMPLATE = 'wellplay_template'

/** One real PostgreSQL for the whole run; each test file clones the migrated template. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  sweepOldFolders()
  const dataDir = mkdtempSync(join(tmpdir(), 'wellplay-test-'))
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    shared_buffers: '256MB',
    // The tables of a test are small: starting workers for a parallel query takes longer than the query.
    max_parallel_workers_per_gather: '0',
  }
  const postgres = await startPostgres({ dataDir, settings })
  await runAsOwner(postgres.ownerUrl, `create database ${TEMPLATE}`)
  await migrate(withDatabase(postgres.ownerUrl, TEMPLATE))
  const { ownerUrl, urls } = postgres
  project.provide('postgres', { ownerUrl, appUrl: await createAppLogin(ownerUrl), urls, template: TEMPLATE })
  return async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Deletes folders that killed test runs left behind. */
function sweepOldFolders(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => OUR_FOLDERS.test(entry))) {
    const path = join(tmpdir(), name)
    const { mtimeMs, uid } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now(), uid: -1 }
    const isOurs = process.getuid?.() === 0 || process.getuid?.() === uid
    if (isOurs && Date.now() - mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true })
  }
}
