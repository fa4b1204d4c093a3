import { sql } from 'kysely'
import type { Tx } from '../platform/db.ts'
import type { Part } from './parts.ts'

/** How much history an audit reads again, and when it seals. Tests use shorter ones. */
export type Pace = {
  /** So many audits read all of history again: with one a minute, a day. */
  windowAudits: number
  /** A slice ends with the transaction that fills it with so many entries. */
  sliceEntries: number
  /** A slice that is not full is sealed after this time. */
  sealMinutes: number
}
export const MINUTE_PACE: Pace = { windowAudits: 1_440, sliceEntries: 20_000, sealMinutes: 60 }

/** Where an audit continues. Read in the snapshot that it checks. */
export type Checkpoint = {
  audits: bigint
  /** False if nothing is sealed yet, or the seals are of another database cluster: then everything is read. */
  isOurs: boolean
  txTo: bigint
  turn: bigint
  /** Everything below it is final: the oldest transaction that still ran. */
  horizon: bigint
  isDue: boolean
}

export async function readCheckpoint(tx: Tx, pace: Pace): Promise<Checkpoint> {
  const { rows } = await sql<Checkpoint>`
    select audits, c.system_identifier = control.system_identifier as "isOurs", tx_to as "txTo", turn,
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon,
      not exists (select from ledger_seals
        where sealed_at > clock_timestamp() - make_interval(mins => ${pace.sealMinutes})) as "isDue"
    from ledger_checkpoint c, pg_control_system() control`.execute(tx)
  const [checkpoint] = rows
  if (!checkpoint) throw new Error('the row of ledger_checkpoint is missing')
  return checkpoint
}

/**
 * The old slices of this turn: a window has as many turns as audits, and a slice belongs to the turn of its number's
 * remainder. So each is read once per window, however many are added meanwhile.
 */
export async function listSlices(tx: Tx, { turn }: Checkpoint, { windowAudits }: Pace): Promise<Part[]> {
  const { rows } = await sql<Required<Part>>`
    select s.tx_from as from, s.tx_to as to from ledger_seals s, ledger_checkpoint c
    where s.id >= c.first_seal and s.id % ${windowAudits}::bigint = ${turn}::bigint % ${windowAudits}::bigint
    order by s.id`.execute(tx)
  return rows
}

export type Seal = { to: bigint; entries: bigint; digest: Buffer }

/** Digests of the rows after the checkpoint, in slices. None if the next seal is not due yet. */
export async function computeSeals(tx: Tx, checkpoint: Checkpoint, pace: Pace): Promise<Seal[]> {
  const { isOurs, isDue } = checkpoint
  const start = isOurs ? checkpoint.txTo : 0n
  const end = await findEnd(tx, start, checkpoint.horizon)
  if (end <= start) return []
  const { rows } = await sql<{ to: bigint; entries: bigint }>`
    select max(tx) + 1 as to, sum(entries)::bigint as entries
    from (select tx, count(*) as entries, div(sum(count(*)) over (order by tx) - count(*), ${pace.sliceEntries}) as slice
      from ledger_entries where tx >= ${start} and tx < ${end} group by tx) ordered
    group by slice order by slice`.execute(tx)
  if (isOurs && !isDue && !rows.some(({ entries }) => Number(entries) >= pace.sliceEntries)) return []
  // The last slice reaches the end, also if no entry is so new.
  const ends = [...rows.slice(0, -1).map(({ to }) => to), end]
  const seals: Seal[] = []
  for (const [at, to] of ends.entries()) seals.push({ to, ...(await digestOf(tx, ends[at - 1] ?? start, to)) })
  return seals
}

/**
 * The highest id at which history can be divided so that the newest sealed entry of an account precedes all its new
 * ones. Of two transactions that post to an account, the first to take its id can be the second to post. If only its own
 * entry could be sealed, neither is: it waits for the earlier one.
 */
async function findEnd(tx: Tx, start: bigint, horizon: bigint): Promise<bigint> {
  for (let end = horizon; ; ) {
    const { rows } = await sql<{ tx: bigint | null }>`
      select min(late.tx) as tx
      from (select account_id, min(version) as version from ledger_entries where tx >= ${end} group by account_id) first
        join ledger_entries late using (account_id)
      where late.version > first.version and late.tx >= ${start} and late.tx < ${end}`.execute(tx)
    const earlier = rows[0]?.tx
    if (earlier == null) return end
    end = earlier
  }
}

async function digestOf(tx: Tx, from: bigint, to: bigint): Promise<Omit<Seal, 'to'>> {
  const { rows } = await sql<Omit<Seal, 'to'>>`select * from ledger_digest(${from}, ${to})`.execute(tx)
  return rows[0] as Omit<Seal, 'to'>
}

/** What an audit read in its snapshot. */
export type Basis = { checkpoint: Checkpoint; seals: Seal[] }

/** Call once with the result of an audit. False if another audit was stored since this one began. */
export async function countAudit(tx: Tx, { audits }: Checkpoint): Promise<boolean> {
  const { rows } = await sql<{ counted: boolean }>`select ledger_count_audit(${audits}) as counted`.execute(tx)
  return rows[0]?.counted === true
}

/** Moves the checkpoint, in the transaction in which the audit was counted. */
export async function moveCheckpoint(tx: Tx, { checkpoint, seals }: Basis): Promise<void> {
  if (!checkpoint.isOurs) await sql`select ledger_start_anew()`.execute(tx)
  await sql`select ledger_next_turn()`.execute(tx)
  if (seals.length === 0) return
  const [tos, entries, digests] = [
    seals.map(({ to }) => to),
    seals.map((seal) => seal.entries),
    seals.map(({ digest }) => digest),
  ]
  await sql`select ledger_seal(${tos}::bigint[], ${entries}::bigint[], ${digests}::bytea[])`.execute(tx)
}
