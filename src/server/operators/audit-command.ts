import { formatReport, type Invariant, runAudit } from '../ledger/audit.ts'
import type { Db } from '../platform/db.ts'

/** `ops audit [--json]`: checks all invariants, and exits with 1 when one is broken. */
export async function auditCommand(
  db: Db,
  invariants: readonly Invariant[],
  asJson: boolean,
  write: (text: string) => void,
): Promise<0 | 1> {
  const report = await runAudit(db, invariants)
  write(asJson ? JSON.stringify(report, null, 2) : formatReport(report))
  return report.passed ? 0 : 1
}
