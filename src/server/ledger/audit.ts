import { type Db, type Tx, transaction } from '../platform/db.ts'
import { halt, resume } from './halt.ts'

export type AuditRun = { at: Date; passed: boolean; checked: number; broken: number[] }

/** An invariant from RULES.md. The check returns one sentence per finding; an empty list means that it holds. */
export type Invariant = { number: number; name: string; check(tx: Tx): Promise<string[]> }

export type AuditReport = {
  passed: boolean
  invariants: { number: number; name: string; findings: string[]; durationMs: number }[]
}

/** Checks every invariant against one snapshot of the database, even while postings continue. */
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

/** The worker runs this every minute (R18). A broken invariant halts payouts and bets; a pass lifts that halt. */
export async function auditAndHalt(db: Db, invariants: readonly Invariant[]): Promise<AuditReport> {
  const report = await runAudit(db, invariants)
  const broken = report.invariants.filter(({ findings }) => findings.length > 0)
  // This text is public, so it names only the broken invariants. The operator's report also names the accounts.
  const reason = `The audit found broken invariants: ${broken.map(({ number, name }) => `${number}. ${name}`).join('; ')}.`
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

/**
 * Audits on demand. `passes` audits the books as they are when it is called and returns whether they passed; it returns
 * false without an audit if the last one is less than `restMs` ago. Audits of one process run one after the other.
 */
export function createAuditor(audit: () => Promise<AuditReport>, restMs: number) {
  let last: Promise<unknown> = Promise.resolve()
  let lastMs = Number.NEGATIVE_INFINITY
  function run(): Promise<AuditReport> {
    lastMs = performance.now()
    const next = last.then(audit)
    last = next.catch(() => undefined)
    return next
  }
  const passes = async () => performance.now() - lastMs >= restMs && (await run()).passed
  return { run, passes }
}

/** The result of the last audit; undefined before the first. */
export const findLastAudit = (db: Db): Promise<AuditRun | undefined> =>
  db.selectFrom('audit_runs').selectAll().orderBy('at', 'desc').limit(1).executeTakeFirst()

/** The report as a table for the terminal. */
export function formatReport({ passed, invariants }: AuditReport): string {
  const lines = invariants.flatMap(({ number, name, findings, durationMs }) => [
    `${String(number).padStart(3)}  ${name.padEnd(60)} ${findings.length === 0 ? 'ok' : 'BROKEN'}  ${durationMs} ms`,
    ...findings.map((finding) => `       ${finding}`),
  ])
  return [...lines, passed ? 'All invariants hold.' : 'Some invariants are broken.'].join('\n')
}
