import { sql } from 'kysely'
import { type AuditReport, checkInvariants, type Invariant } from '../ledger/audit.ts'
import type { Db } from '../platform/db.ts'

/** The audit's report on a corruption planted as superuser, past every trigger. It is rolled back afterwards. */
export async function auditAfter(
  owner: Db,
  statements: readonly string[],
  invariants: readonly Invariant[],
): Promise<AuditReport> {
  const planting = await owner.startTransaction().execute()
  try {
    for (const statement of ['set local session_replication_role = replica', ...statements])
      await sql.raw(statement).execute(planting)
    return await checkInvariants(planting, invariants)
  } finally {
    await planting.rollback().execute()
  }
}
