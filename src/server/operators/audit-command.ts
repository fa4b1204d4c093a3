import { formatReport, type Invariant, runAudit, withOutcome } from '../ledger/audit.ts'
import type { Db } from '../platform/db.ts'

/**
 * `ops audit [--full] [--json]`: checks all invariants. Exits with 1 if one is broken, else with 2 if one could not be
 * checked.
 */
export async function auditCommand(
  db: Db,
  invariants: readonly Invariant[],
  { isFull, asJson }: { isFull: boolean; asJson: boolean },
  write: (text: string) => void,
): Promise<0 | 1 | 2> {
  const report = await runAudit(db, invariants, { isFull })
  write(asJson ? JSON.stringify(report, null, 2) : formatReport(report))
  if (withOutcome(report, 'broken').length > 0) return 1
  return report.passed ? 0 : 2
}
