import { sql } from 'kysely'
import { type Db, type Tx, transaction } from '../platform/db.ts'
import { publish } from '../platform/events.ts'
import { halt, resume } from './halt.ts'

/** An invariant from RULES.md. The check returns one sentence per finding, and throws if it cannot find out. */
export type Invariant = { number: number; name: string; check(tx: Tx): Promise<string[]> }

/** Only `broken` halts. `unchecked` means that the check failed, for example because the chain node did not respond. */
type Outcome = 'held' | 'broken' | 'unchecked'
/** `findings` of an unchecked invariant say why it could not be checked. */
type Checked = { number: number; name: string; outcome: Outcome; findings: string[]; durationMs: number }
/** `passed`: every invariant was checked and holds. */
export type AuditReport = { passed: boolean; invariants: Checked[] }

/** What could not be checked is tried again in the same run, unless the run already takes this long. */
const ATTEMPTS_MAX = 3
const RETRY_MS_MAX = 20_000

/** Checks every invariant, even while postings continue. */
export async function runAudit(db: Db, invariants: readonly Invariant[]): Promise<AuditReport> {
  const startMs = performance.now()
  let checked = await checkInSnapshot(db, invariants)
  for (let attempt = 1; attempt < ATTEMPTS_MAX && performance.now() - startMs < RETRY_MS_MAX; attempt++) {
    const isLeft = ({ number }: Invariant) => checked.some((row) => row.number === number && isUnchecked(row))
    const left = invariants.filter(isLeft)
    if (left.length === 0) break
    const again = await checkInSnapshot(db, left)
    checked = checked.map((row) => again.find(({ number }) => number === row.number) ?? row)
  }
  return reportOf(checked)
}

/** One snapshot of the database for all of them. */
async function checkInSnapshot(db: Db, invariants: readonly Invariant[]): Promise<Checked[]> {
  const checked: Checked[] = []
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  try {
    await snapshot.execute((tx) => checkEach(tx, invariants, checked))
  } catch (error) {
    // The connection was lost. What was checked before that is known.
    const left = invariants.filter(({ number }) => !checked.some((row) => row.number === number))
    checked.push(...left.map(({ number, name }) => uncheckedBecause({ number, name }, error)))
  }
  return checked
}

export async function checkInvariants(tx: Tx, invariants: readonly Invariant[]): Promise<AuditReport> {
  const checked: Checked[] = []
  await checkEach(tx, invariants, checked)
  return reportOf(checked)
}

async function checkEach(tx: Tx, invariants: readonly Invariant[], checked: Checked[]): Promise<void> {
  for (const { number, name, check } of invariants) {
    const startMs = performance.now()
    const row = await checkOne(tx, { number, name, check })
    checked.push({ ...row, durationMs: Math.round(performance.now() - startMs) })
  }
}

/** The savepoint keeps the snapshot usable for the other checks after a failed statement. */
async function checkOne(tx: Tx, { number, name, check }: Invariant): Promise<Checked> {
  await sql`savepoint invariant`.execute(tx)
  try {
    const findings = await check(tx)
    return { number, name, outcome: findings.length === 0 ? 'held' : 'broken', findings, durationMs: 0 }
  } catch (error) {
    await sql`rollback to savepoint invariant`.execute(tx)
    return uncheckedBecause({ number, name }, error)
  }
}

function uncheckedBecause(invariant: Pick<Invariant, 'number' | 'name'>, error: unknown): Checked {
  const [why = 'unknown error'] = (error instanceof Error ? error.message : String(error)).split('\n')
  return { ...invariant, outcome: 'unchecked', findings: [why], durationMs: 0 }
}

const isUnchecked = ({ outcome }: Checked): boolean => outcome === 'unchecked'

const reportOf = (checked: Checked[]): AuditReport => ({
  passed: checked.every(({ outcome }) => outcome === 'held'),
  invariants: checked.toSorted((a, b) => a.number - b.number),
})

export const withOutcome = ({ invariants }: AuditReport, outcome: Outcome): Checked[] =>
  invariants.filter((row) => row.outcome === outcome)

/**
 * The worker runs this every minute (R18, R25). A broken invariant halts payouts and bets immediately. Only a run that
 * checked everything and found nothing lifts that halt; findStaleAudit covers runs that could not check everything.
 */
export async function auditAndHalt(db: Db, invariants: readonly Invariant[]): Promise<AuditReport> {
  const report = await runAudit(db, invariants)
  const broken = withOutcome(report, 'broken')
  const numbers = (outcome: Outcome) => withOutcome(report, outcome).map(({ number }) => number)
  // This text is public, so it names only the broken invariants. The operator's report also names the accounts.
  const reason = `The audit found broken invariants: ${broken.map(({ number, name }) => `${number}. ${name}`).join('; ')}.`
  await transaction(db, async (tx) => {
    if (report.passed) await resume(tx, 'audit', 'the audit passed')
    if (broken.length > 0) await halt(tx, 'audit', reason)
    await tx
      .insertInto('audit_runs')
      .values({ held: numbers('held'), broken: numbers('broken'), unchecked: numbers('unchecked') })
      .execute()
    // Public figures show the new result at once.
    await publish(tx, { topic: 'audit' })
  })
  return report
}

/**
 * Audits on demand. `passes` audits the books as they are when it is called and returns whether every invariant holds;
 * it returns false without an audit if the last one is less than `restMs` ago. Audits of one process run one after the
 * other.
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

const RESULTS = { held: 'ok', broken: 'BROKEN', unchecked: 'NOT CHECKED' } as const

/** The report as a table for the terminal. */
export function formatReport(report: AuditReport): string {
  const lines = report.invariants.flatMap(({ number, name, outcome, findings, durationMs }) => [
    `${String(number).padStart(3)}  ${name.padEnd(60)} ${RESULTS[outcome]}  ${durationMs} ms`,
    ...findings.map((finding) => `       ${finding}`),
  ])
  return [...lines, verdictOf(report)].join('\n')
}

function verdictOf(report: AuditReport): string {
  if (withOutcome(report, 'broken').length > 0) return 'Some invariants are broken.'
  return report.passed ? 'All invariants hold.' : 'Some invariants could not be checked. None is known to be broken.'
}
