import { type RawBuilder, sql } from 'kysely'
import { colourTable } from '../../../protocol/colour-odds.ts'
import { newId, type Tx } from '../../platform/db.ts'
import type { DrawBlock } from './block.ts'
import { publishRound } from './queries.ts'
import type { RoundRow } from './tables.ts'

/*
 * The work of the seeds process. It decides when a round opens and which block it uses, but not the result: the
 * database keeps the seeds, and computes the draw once the block is bound (`colour_reveal`).
 */

const OPEN_LOCK = 7_401
/** Nearly two years of rounds. The next chain is published ten thousand rounds before this one ends. */
const CHAIN_LENGTH = 1_000_000
/** A round with less betting time left than this is not opened. */
const SECONDS_LEFT_MIN = 10

/** Publishes the anchor of the next seed chain if one is needed. */
export async function ensureChain(tx: Tx, length = CHAIN_LENGTH): Promise<void> {
  await sql`select colour_create_chain(${length}::int)`.execute(tx)
}

/** Opening time of the current round, whether or not its row exists yet. */
export const roundOpening = sql<Date>`colour_opening(clock_timestamp())`

/** A round stores the odds and terms it is opened with. Result and audit read them there. */
export const roundTerms = {
  columns: sql`pays_green, pays_red, pays_violet, result_seconds`,
  values: (opening: RawBuilder<Date>) => sql`${colourTable.green.pays}::bigint, ${colourTable.red.pays}::bigint,
    ${colourTable.violet.pays}::bigint, colour_result_seconds(${opening})`,
}

/** Opens the current round if it does not exist yet. An advisory lock lets several processes call this. */
export async function openRound(tx: Tx): Promise<RoundRow | undefined> {
  await sql`select pg_advisory_xact_lock(${OPEN_LOCK}::bigint)`.execute(tx)
  const { rows } = await sql<RoundRow>`
    insert into colour_rounds (number, id, chain_id, opens_at, closes_at, ${roundTerms.columns})
    select next.number, ${newId()}, c.id, next.opens_at, next.closes_at, ${roundTerms.values(sql`next.opens_at`)}
    from (
      select coalesce((select max(number) from colour_rounds), 0) + 1 as number, opening as opens_at,
        opening + colour_betting_length(opening) as closes_at
      from ${roundOpening} as opening
    ) next join colour_chains c on next.number >= c.first_round and next.number < c.first_round + c.length
    where next.closes_at - make_interval(secs => ${SECONDS_LEFT_MIN}) > clock_timestamp()
      and colour_may_open(next.opens_at, clock_timestamp())
    returning *`.execute(tx)
  if (rows[0]) await publishRound(tx, rows[0])
  return rows[0]
}

/** Whether there is still time for a result. Later, the stakes go back (R13). */
export const inTime = sql<boolean>`clock_timestamp() <= colour_deadline(colour_rounds)`

/** Binds the round to its block. The database reveals the seed only in a later transaction. */
export async function bindBlock(tx: Tx, number: bigint, block: DrawBlock): Promise<void> {
  await sql`update colour_rounds set block_number = ${block.number}, block_hash = ${block.hash}, block_at = ${block.at}
    where number = ${number} and state = 'open' and block_hash is null and closes_at <= clock_timestamp()
      and ${inTime}`.execute(tx)
}

/** Draws a bound round, or publishes the seed of a refunded one. Does nothing if another process was faster. */
export async function revealRound(tx: Tx, number: bigint): Promise<RoundRow | undefined> {
  const due = await sql`
    select from colour_rounds
    where number = ${number} and ((state = 'open' and bound_at is not null and ${inTime}) or ${isRefundedUnseen})
    for update`.execute(tx)
  if (due.rows.length === 0) return undefined
  const { rows } = await sql<RoundRow>`select * from colour_reveal(${number})`.execute(tx)
  if (rows[0]) await publishRound(tx, rows[0])
  return rows[0]
}

/** A refunded round whose seed is not public yet. */
export const isRefundedUnseen = sql<boolean>`(state = 'refunded' and seed is null)`
