import { sql } from 'kysely'
import type { Tx } from '../platform/db.ts'

/** Records what an operator, or the product on its own, did and why. Hash-chained: no row can be changed unseen. */
export async function recordAction(tx: Tx, action: { who: string; what: string; why: string }): Promise<void> {
  await sql`select audit_append(${action.who}, ${action.what}, ${action.why})`.execute(tx)
}
