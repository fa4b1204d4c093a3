import { type Db, type Tx, transaction } from '../platform/db.ts'
import { halt, resume } from './halt.ts'

export type AuditRun = { at: Date; passed: boolean; checked: number; broken: number[] }

/** An invariant of RULES.md. The check returns one sentence for each finding; none means that it holds. */
export type Invariant = { number: number; name: string; check(tx: Tx): Promise<string[]> }

export type AuditReport = {
  passed: boolean
  invariants: { number: number; name: string; findings: string[]; durationMs: number }[]
}

/** Checks every invariant against one and the same moment, whatever is being posted meanwhile. */
export async function runAudit(db: Db, invariants: readonly Invariant[]): Promise<AuditReport> {
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return await snapshot.execute((tx) => checkInvariants(tx, invariants))
}

export async function checkInvariants(tx: Tx, invariants: readonly Invariant[]): Promise<AuditReport> {
  const checked: AuditReport['invariants'] = []
  for (const { number, name, check } of invariants.toSorted((a, b) => a.number - b.number)) {
    const startMs = performance.now()
    const findings = await check(tx)
    checked.push({ number, name, findings, durationMs: Math.round(performance.now() - startMs) })
  }
  return { passed: checked.every(({ findings }) => findings.length === 0), invariants: checked }
}

/** What the worker does every minute (R18): broken books stop payouts and bets, whole ones let them go on. */
export async function auditAndHalt(db: Db, invariants: readonly Invariant[]): Promise<AuditReport> {
  const report = await runAudit(db, invariants)
  const broken = report.invariants.filter(({ findings }) => findings.length > 0)
  // This text is public: it names the broken invariants, not the accounts. The operator's audit names those.
  const reason = `The audit found that something does not hold: ${broken.map(({ number, name }) => `${number}. ${name}`).join('; ')}.`
  await transaction(db, async (tx) => {
    await (report.passed ? resume(tx, 'audit', 'the audit passed') : halt(tx, 'audit', reason))
    const checked = report.invariants.length
    await tx
      .insertInto('audit_runs')
      .values({ passed: report.passed, checked, broken: broken.map(({ number }) => number) })
      .execute()
  })
  return report
}

/** How the last audit ended; undefined before the first. */
export const findLastAudit = (db: Db): Promise<AuditRun | undefined> =>
  db.selectFrom('audit_runs').selectAll().orderBy('at', 'desc').limit(1).executeTakeFirst()

/** The report as a table for people. */
export function formatReport({ passed, invariants }: AuditReport): string {
  const lines = invariants.flatMap(({ number, name, findings, durationMs }) => [
    `${String(number).padStart(3)}  ${name.padEnd(60)} ${findings.length === 0 ? 'ok' : 'BROKEN'}  ${durationMs} ms`,
    ...findings.map((finding) => `       ${finding}`),
  ])
  return [...lines, passed ? 'The books are whole.' : 'The books are broken.'].join('\n')
}
