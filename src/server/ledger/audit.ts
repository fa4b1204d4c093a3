import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, type Tx, transaction } from '../platform/db.ts'
import { publish } from '../platform/events.ts'
import {
  type Basis,
  computeSeals,
  countAudit,
  listSlices,
  MINUTE_PACE,
  moveCheckpoint,
  type Pace,
  readCheckpoint,
} from './checkpoint.ts'
import { halt, resume } from './halt.ts'
import type { Part } from './parts.ts'

/**
 * An invariant from RULES.md. The check returns one sentence per finding, and throws if it cannot find out. One that is
 * about history, which grows without end, checks the part that it is given; without a part, everything.
 */
export type Invariant = {
  number: number
  name: string
  check(tx: Tx, part?: Part): Promise<string[]>
  isOfHistory?: true
}

/** The invariant that compares old slices with their seals. If it is broken, all of history is checked. */
const SEALS_NUMBER = 30

/** Only `broken` halts. `unchecked` means that the check failed, for example because the chain node did not respond. */
type Outcome = 'held' | 'broken' | 'unchecked'
/** `findings` of an unchecked invariant say why it could not be checked. */
type Checked = { number: number; name: string; outcome: Outcome; findings: string[]; durationMs: number }
/** `passed`: every invariant was checked and holds. */
export type AuditReport = { passed: boolean; invariants: Checked[] }

/** What could not be checked is tried again in the same run, unless the run already takes this long. */
const ATTEMPTS_MAX = 3
const RETRY_MS_MAX = 20_000

type Settings = { isFull?: boolean; pace?: Pace }

/** Checks every invariant, even while postings continue. A full audit reads all of history, others what is new and a slice. */
export async function runAudit(
  db: Db,
  invariants: readonly Invariant[],
  settings: Settings = {},
): Promise<AuditReport> {
  return (await auditFrom(db, invariants, settings)).report
}

/** `basis` is missing if the database could not be read. */
type Audit = { report: AuditReport; basis?: Basis }

async function auditFrom(
  db: Db,
  invariants: readonly Invariant[],
  settings: Settings,
  isAlone = false,
): Promise<Audit> {
  const startMs = performance.now()
  let { checked, basis } = await checkInSnapshot(db, invariants, settings, isAlone)
  for (let attempt = 1; attempt < ATTEMPTS_MAX && performance.now() - startMs < RETRY_MS_MAX; attempt++) {
    const isLeft = ({ number }: Invariant) => checked.some((row) => row.number === number && isUnchecked(row))
    const left = invariants.filter(isLeft)
    if (left.length === 0) break
    const again = await checkInSnapshot(db, left, settings, isAlone)
    checked = checked.map((row) => again.checked.find(({ number }) => number === row.number) ?? row)
    // A later basis would seal what the first snapshot did not check.
    basis ??= again.basis && { ...again.basis, seals: [] }
  }
  return { report: reportOf(checked), ...(basis && { basis }) }
}

/** One snapshot of the database for all of them. */
async function checkInSnapshot(
  db: Db,
  invariants: readonly Invariant[],
  { isFull = false, pace = MINUTE_PACE }: Settings,
  isAlone: boolean,
): Promise<{ checked: Checked[]; basis?: Basis }> {
  const checked: Checked[] = []
  const giveUpMs = performance.now() + OTHER_AUDIT_MS_MAX
  for (;;) {
    const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
    try {
      const basis = await snapshot.execute(async (tx) => {
        if (isAlone && !(await tryLock(tx)) && performance.now() < giveUpMs) return 'another audit is running'
        return checkFromCheckpoint(tx, invariants, checked, isFull, pace)
      })
      if (typeof basis === 'object') return { checked, basis }
    } catch (error) {
      // The connection was lost. What was checked before that is known.
      const left = invariants.filter(({ number }) => !checked.some((row) => row.number === number))
      return { checked: [...checked, ...left.map(({ number, name }) => uncheckedBecause({ number, name }, error))] }
    }
    await sleep(LOCKED_REST_MS)
  }
}

/** The lock of the transaction that reads the snapshot. It works through a pooler and ends with the process. */
const LOCK = 7_231_906
const LOCKED_REST_MS = 200
/**
 * After this time an audit no longer waits for another one: a process that holds the lock for so long is stuck. Two at
 * once are safe, because only one of them is counted.
 */
const OTHER_AUDIT_MS_MAX = 60_000

async function tryLock(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ is_locked: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as is_locked`.execute(tx)
  return rows[0]?.is_locked === true
}

async function checkFromCheckpoint(
  tx: Tx,
  invariants: readonly Invariant[],
  checked: Checked[],
  isFull: boolean,
  pace: Pace,
): Promise<Basis> {
  const checkpoint = await readCheckpoint(tx, pace)
  const recent = { from: checkpoint.txTo }
  const parts = isFull || !checkpoint.isOurs ? [undefined] : [recent, ...(await listSlices(tx, checkpoint, pace))]
  await checkEach(tx, invariants, checked, parts)
  // The law that the change broke is named too, wherever in history its other rows are.
  if (checked.some(({ number, outcome }) => number === SEALS_NUMBER && outcome === 'broken')) {
    checked.length = 0
    await checkEach(tx, invariants, checked, [undefined])
  }
  const seals = checked.some(({ outcome }) => outcome === 'broken') ? [] : await computeSeals(tx, checkpoint, pace)
  return { checkpoint, seals }
}

/** Checks inside a transaction, for example one that planted a corruption. */
export async function checkInvariants(
  tx: Tx,
  invariants: readonly Invariant[],
  { isFull = false, pace = MINUTE_PACE }: Settings = {},
): Promise<AuditReport> {
  const checked: Checked[] = []
  await checkFromCheckpoint(tx, invariants, checked, isFull, pace)
  return reportOf(checked)
}

type Parts = readonly (Part | undefined)[]

async function checkEach(tx: Tx, invariants: readonly Invariant[], checked: Checked[], parts: Parts): Promise<void> {
  for (const invariant of invariants) {
    const startMs = performance.now()
    const row = await checkOne(tx, invariant, invariant.isOfHistory ? parts : [undefined])
    checked.push({ ...row, durationMs: Math.round(performance.now() - startMs) })
  }
}

/** The savepoint keeps the snapshot usable for the other checks after a failed statement. */
async function checkOne(tx: Tx, { number, name, check }: Invariant, parts: Parts): Promise<Checked> {
  await sql`savepoint invariant`.execute(tx)
  try {
    const findings: string[] = []
    for (const part of parts) findings.push(...(await check(tx, part)))
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
 * The worker runs this every minute (R18, R25), one at a time in all processes. A broken invariant halts payouts and bets
 * immediately. Only a run that checked everything and found nothing lifts that halt, and only if it began after the run
 * that set it was stored; findStaleAudit covers runs that could not check everything.
 */
export async function auditAndHalt(
  db: Db,
  invariants: readonly Invariant[],
  settings: Settings = {},
): Promise<AuditReport> {
  const { report, basis } = await auditFrom(db, invariants, settings, true)
  const broken = withOutcome(report, 'broken')
  const numbers = (outcome: Outcome) => withOutcome(report, outcome).map(({ number }) => number)
  await transaction(db, async (tx) => {
    const isCounted = basis !== undefined && (await countAudit(tx, basis.checkpoint))
    if (isCounted && report.passed) await resume(tx, 'audit', 'the audit passed')
    if (broken.length > 0) await halt(tx, 'audit', haltReason(broken))
    if (isCounted && holdsHistory(report, invariants)) await moveCheckpoint(tx, basis)
    await tx
      .insertInto('audit_runs')
      .values({ held: numbers('held'), broken: numbers('broken'), unchecked: numbers('unchecked') })
      .execute()
    // Public figures show the new result at once.
    await publish(tx, { topic: 'audit' })
  })
  return report
}

const NAMED = 2

/**
 * Every page shows this text while payouts are halted, so it names invariants but no accounts, and only a few of them:
 * more would fill a phone's screen. The trust page has the numbers of all, and the operator's report the accounts.
 */
function haltReason(broken: Checked[]): string {
  const named = broken.slice(0, NAMED).map(({ number, name }) => `${number}. ${name}`)
  const others = broken.length - named.length
  return `The audit found broken invariants: ${named.join('; ')}${others > 0 ? `; and ${others} more` : ''}.`
}

/** A row that was not checked must stay new, and a slice with a mistake must be read again until it is repaired. */
const holdsHistory = ({ invariants: checked }: AuditReport, invariants: readonly Invariant[]): boolean =>
  invariants.every(
    ({ number, isOfHistory }) => !isOfHistory || checked.some((row) => row.number === number && row.outcome === 'held'),
  )

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
