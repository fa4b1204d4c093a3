import { sql } from 'kysely'
import type { Tx } from '../../platform/db.ts'

const LOCK_CLASS = 7_120

/** Advisory lock per user: plan calls of one user run one at a time, so each sees the changes of the previous one. */
export async function lockPlanCalls(tx: Tx, userNumber: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS}::int, ${userNumber}::int)`.execute(tx)
}
