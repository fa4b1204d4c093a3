import { sql } from 'kysely'
import type { Tx } from '../platform/db.ts'

/** Records what an operator or the system did, and why. Rows are hash-chained, so the audit detects a changed row. */
export async function recordAction(tx: Tx, action: { who: string; what: string; why: string }): Promise<void> {
  await sql`select audit_append(${action.who}, ${action.what}, ${action.why})`.execute(tx)
}
