import { sql } from 'kysely'
import { type AuditReport, checkInvariants, type Invariant } from '../ledger/audit.ts'
import type { Db } from '../platform/db.ts'

/** Audits the books after a corruption made as superuser, with triggers off. The corruption is rolled back. */
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
