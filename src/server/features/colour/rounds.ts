import { sql } from 'kysely'
import { z } from 'zod'
import { roundRow } from '../../../protocol/colour.ts'
import { drawOf } from '../../../protocol/colour-draw.ts'
import { type Colour, colourOf, colourTable } from '../../../protocol/colour-odds.ts'
import { terms } from '../../../protocol/terms.ts'
import { accountsOf, systemAccount } from '../../ledger/accounts.ts'
import { postBulk } from '../../ledger/post.ts'
import { type Db, newId, type Tx } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import type { DrawBlock } from './block.ts'
import { hmac } from './hashes.ts'
import { publicRound } from './queries.ts'
import type { RoundRow } from './tables.ts'

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
export const roundOpening = sql<Date>`
  date_bin(make_interval(secs => ${terms.colourRoundSeconds}), clock_timestamp(), timestamptz '2000-01-01Z')`

/** A round stores the terms it is opened with. Bets, result and audit read them there. */
export const roundTerms = {
  columns: sql`pays_green, pays_red, pays_violet, result_seconds`,
  values: sql`${colourTable.green.pays}::bigint, ${colourTable.red.pays}::bigint, ${colourTable.violet.pays}::bigint,
    ${terms.colourResultSeconds}::int`,
}

/** Opens the current round if it does not exist yet. An advisory lock lets several processes call this. */
export async function openRound(tx: Tx): Promise<RoundRow | undefined> {
  await sql`select pg_advisory_xact_lock(${OPEN_LOCK}::bigint)`.execute(tx)
  const { rows } = await sql<RoundRow>`
    insert into colour_rounds (number, id, chain_id, opens_at, closes_at, ${roundTerms.columns})
    select next.number, ${newId()}, c.id, next.opens_at, next.closes_at, ${roundTerms.values}
    from (
      select coalesce((select max(number) from colour_rounds), 0) + 1 as number, opening as opens_at,
        opening + make_interval(secs => ${terms.colourBettingSeconds}) as closes_at
      from ${roundOpening} as opening
    ) next join colour_chains c on next.number >= c.first_round and next.number < c.first_round + c.length
    where next.closes_at - make_interval(secs => ${SECONDS_LEFT_MIN}) > clock_timestamp()
      and not exists (select from colour_rounds where opens_at >= next.opens_at)
    returning *`.execute(tx)
  if (rows[0]) await publishRound(tx, rows[0])
  return rows[0]
}

/** Binds the round to its block. The database reveals the seed only afterwards, even to this process. */
export async function bindBlock(tx: Tx, number: bigint, block: DrawBlock): Promise<void> {
  await sql`update colour_rounds set block_number = ${block.number}, block_hash = ${block.hash}, block_at = ${block.at}
    where number = ${number} and state = 'open' and block_hash is null and closes_at <= now()
      and ${inTime}`.execute(tx)
}

/** Whether there is still time for the round's result. */
export const inTime = sql`clock_timestamp() <= closes_at + make_interval(secs => result_seconds)`

/**
 * Finishes a round exactly once, whichever process gets here first. Settles it if its block is bound and there is still
 * time for a result; refunds every stake once that time is over. The posting's reference is the round's id, so even a
 * second attempt that saw the round as open could not pay twice.
 */
export async function finishRound(tx: Tx, number: bigint): Promise<RoundRow | undefined> {
  const { rows } = await sql<RoundRow & { in_time: boolean }>`
    select *, ${inTime} as in_time from colour_rounds
    where number = ${number} and state = 'open' and closes_at <= clock_timestamp() for update`.execute(tx)
  const round = rows[0]
  if (!round || (round.in_time && !round.block_hash)) return undefined
  const finished =
    round.in_time && round.block_hash ? await settle(tx, round, round.block_hash) : await refund(tx, round)
  await publishRound(tx, finished)
  await notifyPlayers(tx, finished)
  return finished
}

async function settle(tx: Tx, round: RoundRow, blockHash: string): Promise<RoundRow> {
  const { number, id } = round
  const seed = await reveal(tx, number)
  const draw = await drawOf(hmac, seed, Number(number), blockHash)
  const outcome = colourOf(draw)
  await postBulk(tx, { kind: 'round_settlement', reference: id, movements: settlement(round, outcome) })
  return await finish(tx, number, { state: 'settled', seed, draw, outcome })
}

// Winners get their stake back from the escrow and the rest from the house. Lost stakes go to the house.
const settlement = ({ number, ...round }: RoundRow, outcome: Colour) => sql`
  with won as (
    select ${accountsOf('bet')} as account, sum(stake)::bigint as stake from colour_bets
    where round = ${number} and colour = ${outcome} group by user_number
  ), lost as (
    select sum(stake)::bigint as stake from colour_bets where round = ${number} and colour <> ${outcome}
  )
  select ${systemAccount('bet_escrow')}::bigint, account, stake from won
  union all
  select ${systemAccount('house')}::bigint, account, stake * ${round[`pays_${outcome}`] - 1n}::bigint from won
  union all
  select ${systemAccount('bet_escrow')}::bigint, ${systemAccount('house')}::bigint, stake from lost where stake > 0`

async function refund(tx: Tx, { number, id }: RoundRow): Promise<RoundRow> {
  const movements = sql`
    select ${systemAccount('bet_escrow')}::bigint, ${accountsOf('bet')}, sum(stake)::bigint
    from colour_bets where round = ${number} group by user_number`
  await postBulk(tx, { kind: 'round_refund', reference: id, movements })
  // Publish the seed anyway: the next round's seed is checked against it.
  return await finish(tx, number, { state: 'refunded', seed: await reveal(tx, number) })
}

async function reveal(tx: Tx, number: bigint): Promise<Buffer> {
  const { rows } = await sql<{ seed: Buffer }>`select colour_reveal(${number}) as seed`.execute(tx)
  if (!rows[0]) throw new Error(`round ${number} has no seed`)
  return rows[0].seed
}

type Result = Pick<RoundRow, 'state' | 'seed'> & Partial<Pick<RoundRow, 'draw' | 'outcome'>>

const finish = (tx: Tx, number: bigint, result: Result): Promise<RoundRow> =>
  tx
    .updateTable('colour_rounds')
    .set({ ...result, finished_at: sql`clock_timestamp()` })
    .where('number', '=', number)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Publishes the round to every page, with everything needed to verify it. */
export const publishRound = (tx: Tx | Db, round: RoundRow): Promise<void> =>
  publish(tx, { topic: 'round', data: z.encode(roundRow, publicRound(round)) })

/** PostgreSQL limits a NOTIFY payload to 8,000 bytes. */
const USERS_PER_NOTICE = 150

async function notifyPlayers(tx: Tx, { number, state, outcome }: RoundRow): Promise<void> {
  const { rows } = await sql<{ user: number }>`
    select distinct user_number as user from colour_bets
    where round = ${number} and (${state} = 'refunded' or colour = ${outcome})`.execute(tx)
  for (let at = 0; at < rows.length; at += USERS_PER_NOTICE)
    await publish(tx, ...rows.slice(at, at + USERS_PER_NOTICE).map(({ user }) => ({ topic: 'balance', user })))
}
