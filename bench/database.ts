import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Postgres, startPostgres } from '../src/server/embedded/postgres.ts'
import { migrate } from '../src/server/platform/migrate.ts'

export type BenchDatabase = Pick<Postgres, 'ownerUrl' | 'urls' | 'pid'> & {
  owner: pg.Client
  /** Runs `stop` at the end, before the database stops. */
  onEnd(stop: () => unknown): void
}

/** Runs a benchmark on a PostgreSQL of its own with the product's schema, and removes it. */
export async function withBenchDatabase(work: (database: BenchDatabase) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wellplay-bench-'))
  const { ownerUrl, urls, pid, stop } = await startPostgres({ dataDir })
  const owner = new pg.Client({ connectionString: ownerUrl })
  const stops: (() => unknown)[] = []
  try {
    await migrate(ownerUrl)
    await owner.connect()
    await work({ ownerUrl, urls, pid, owner, onEnd: (stop) => stops.push(stop) })
  } finally {
    for (const end of stops.reverse()) await end()
    await owner.end()
    await stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
