import { sql } from 'kysely'
import type { Tx } from '../../platform/db.ts'

const LOCK_CLASS = 7_120

/** One user's plan calls run one after the other, so that each sees what the one before it did. */
export async function lockPlanCalls(tx: Tx, userNumber: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS}::int, ${userNumber}::int)`.execute(tx)
}
