import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { MINUTE_MS } from '../platform/jobs.ts'
import type { Loop } from '../platform/loops.ts'

/** Rows per statement and table: few enough that a statement takes milliseconds, and a stopping worker waits for few. */
const BATCH_ROWS = 5_000
/** Rest between two batches while old rows are left, so that a sweep after a long pause does not slow users down. */
const BATCH_REST_MS = 100

/**
 * Deletes old rows, a batch of each table at a time. `retention_rules` lists the tables, how long they keep their rows,
 * and why. Workers can run this at the same time: each skips the rows that another one is deleting.
 */
export function retentionLoop(db: Db): Loop {
  let isMore = false
  return {
    name: 'sweep-old-rows',
    restMs: () => (isMore ? BATCH_REST_MS : MINUTE_MS),
    async run() {
      isMore = await sweepOldRows(db)
    },
  }
}

/** Returns whether some table may have more old rows. A table that cannot be swept does not keep the others waiting. */
export async function sweepOldRows(db: Db, rows = BATCH_ROWS): Promise<boolean> {
  let isMore = false
  const errors: unknown[] = []
  for (const table of await listSwept(db)) {
    try {
      if ((await sweep(db, table, rows)) === rows) isMore = true
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
  return isMore
}

async function listSwept(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from retention_rules() where old is not null`.execute(db)
  return rows.map(({ name }) => name)
}

async function sweep(db: Db, table: string, rows: number): Promise<number> {
  const swept = await sql<{ count: number }>`select retention_sweep(${table}, ${rows}) as count`.execute(db)
  return swept.rows[0]?.count ?? 0
}
