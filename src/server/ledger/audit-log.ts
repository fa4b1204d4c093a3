import { sql } from 'kysely'
import type { Tx } from '../platform/db.ts'

declare module '../platform/tables.ts' {
  interface Tables {
    audit_log: {
      id: bigint
      at: Date
      who: string
      what: string
      why: string
      previous_hash: Buffer
      hash: Buffer
    }
  }
}

/** Records what an operator, or the product on its own, did and why. Hash-chained: no row can be changed unseen. */
export async function recordAction(tx: Tx, action: { who: string; what: string; why: string }): Promise<void> {
  await sql`select audit_append(${action.who}, ${action.what}, ${action.why})`.execute(tx)
}
