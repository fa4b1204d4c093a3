import { sql } from 'kysely'
import { z } from 'zod'
import { type Bet, type Round, roundRow } from '../../../protocol/colour.ts'
import { AppError } from '../../../protocol/errors.ts'
import type { Id } from '../../../protocol/ids.ts'
import { ZERO } from '../../../protocol/money.ts'
import { PAGE_SIZE } from '../../../protocol/route.ts'
import { toHex } from '../../../verifier/bytes.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import type { History } from '../../platform/history.ts'
import { ADDED_ONLY } from '../../platform/history-days.ts'
import type { ResultRow, RoundRow } from './tables.ts'

export const publicRound = (row: RoundRow): Round => ({
  number: Number(row.number),
  opens_at: row.opens_at,
  closes_at: row.closes_at,
  // The worker pays a moment after the draw. For everyone else, the result is final.
  state: row.state === 'drawn' ? 'settled' : row.state,
  bets: row.bets,
  stakes: { green: row.stake_green, red: row.stake_red, violet: row.stake_violet },
  block_number: row.block_number === null ? null : Number(row.block_number),
  block_hash: row.block_hash,
  seed: row.seed && toHex(row.seed),
  draw: row.draw,
  color: row.outcome,
  finished_at: row.finished_at,
})

export const publicBet = (row: ResultRow): Bet => ({
  id: row.id as Id<'bet'>,
  round: Number(row.round),
  color: row.colour,
  amount: row.stake,
  placed_at: row.placed_at,
  state: row.state,
  payout: row.state === 'open' ? ZERO : row.payout,
  draw: row.draw,
  outcome: row.outcome,
})

/** Publishes the round to every page, with everything needed to verify it. */
export const publishRound = (tx: Tx | Db, round: RoundRow): Promise<void> =>
  publish(tx, { topic: 'round', data: z.encode(roundRow, publicRound(round)) })

export async function getRound(db: Db, number: number): Promise<RoundRow> {
  const row = await db.selectFrom('colour_rounds').selectAll().where('number', '=', BigInt(number)).executeTakeFirst()
  if (!row) throw new AppError('not_found', 'There is no such round')
  return row
}

/** Finished rounds, newest first. Round numbers have no gaps, so a page and the total follow from the few open ones. */
export async function listRounds(db: Db, pageNo: number): Promise<{ rows: RoundRow[]; total: number }> {
  const { rows: found } = await sql<{ last: bigint; open: string[] }>`
    select coalesce((select max(number) from colour_rounds), 0) as last,
      array(select number from colour_rounds where state = 'open' order by number desc)::text[] as open`.execute(db)
  const { last = 0n, open = [] } = found[0] ?? {}
  let first = last - BigInt((pageNo - 1) * PAGE_SIZE)
  for (const number of open) if (BigInt(number) >= first) first--
  const rows = await db
    .selectFrom('colour_rounds')
    .selectAll()
    .where('state', '<>', 'open')
    .where('number', '<=', first)
    .orderBy('number', 'desc')
    .limit(PAGE_SIZE)
    .execute()
  return { rows, total: Number(last) - open.length }
}

export const betHistory = (userNumber: number): History<ResultRow, Bet> => ({
  name: 'bets',
  owner: userNumber,
  filters: ['state'],
  // A bet has its final state when its round is settled or refunded.
  changesFrom: sql`least(${ADDED_ONLY}, (select (min(opens_at) at time zone 'utc')::date from colour_rounds
    where state in ('open', 'drawn')))`,
  rows: () => sql`select * from colour_results where user_number = ${userNumber}`,
  at: 'placed_at',
  order: ['placed_at', 'id'],
  rowOf: publicBet,
})

export async function listOpenBets(db: Db, userNumber: number): Promise<Bet[]> {
  const rows = await db
    .selectFrom('colour_results')
    .selectAll()
    .where('user_number', '=', userNumber)
    .where('round', 'in', (open) => open.selectFrom('colour_rounds').select('number').where('state', '=', 'open'))
    .orderBy('placed_at')
    .execute()
  return rows.map(publicBet)
}
