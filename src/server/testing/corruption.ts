import { sql } from 'kysely'
import { type AuditReport, auditAndHalt, checkInvariants, type Invariant } from '../ledger/audit.ts'
import type { Pace } from '../ledger/checkpoint.ts'
import type { Db } from '../platform/db.ts'
import { runAsOwner } from './database.ts'

/** Every audit reads all sealed history again, and seals what it read, one slice per transaction with entries. */
export const WHOLE_WINDOW: Pace = { windowAudits: 1, sliceEntries: 1, sealMinutes: 0 }

/**
 * Audits the books after a corruption made as superuser, with triggers off. The corruption is rolled back. The audit
 * starts at the checkpoint, if there is one.
 */
export async function auditAfter(
  owner: Db,
  statements: readonly string[],
  invariants: readonly Invariant[],
): Promise<AuditReport> {
  const planting = await owner.startTransaction().execute()
  try {
    for (const statement of ['set local session_replication_role = replica', ...statements])
      await sql.raw(statement).execute(planting)
    return await checkInvariants(planting, invariants, { pace: WHOLE_WINDOW })
  } finally {
    await planting.rollback().execute()
  }
}

/** As if the first audit had found no row at all: every row is newer than the checkpoint. */
const CHECKPOINT_BEFORE = 'select ledger_start_anew()'

type Books = { db: Db; ownerUrl: string; invariants: readonly Invariant[] }
/**
 * A corruption is found without a checkpoint, in rows that are newer than it, and in sealed rows when they are read
 * again. Pass these to `describe.each`, in this order, and call the function in `beforeAll`.
 */
export const CHECKPOINTS: [string, (books: Books) => Promise<void>][] = [
  ['without a checkpoint', async () => {}],
  ['in rows newer than the checkpoint', ({ ownerUrl }) => runAsOwner(ownerUrl, CHECKPOINT_BEFORE)],
  ['in sealed rows', ({ db, invariants }) => sealAll(db, invariants)],
]

/** Audits until everything is sealed. Other databases of the same server may hold the horizon back for a moment. */
export async function sealAll(db: Db, invariants: readonly Invariant[]): Promise<void> {
  const { rows } = await sql<{ last: bigint }>`select pg_current_xact_id()::text::bigint as last`.execute(db)
  for (;;) {
    const { passed, invariants: checked } = await auditAndHalt(db, invariants, { pace: WHOLE_WINDOW })
    if (!passed) throw new Error(`only whole books can be sealed: ${JSON.stringify(checked)}`)
    const { tx_to } = await db.selectFrom('ledger_checkpoint').select('tx_to').executeTakeFirstOrThrow()
    if (tx_to > (rows[0]?.last ?? 0n)) return
  }
}
