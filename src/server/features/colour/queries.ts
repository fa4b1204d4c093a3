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

/** Finished rounds, newest first. Round numbers have no gaps, so the total needs no scan. */
export async function listRounds(db: Db, pageNo: number): Promise<{ rows: RoundRow[]; total: number }> {
  const finished = db.selectFrom('colour_rounds').where('state', '<>', 'open')
  const rows = await finished
    .selectAll()
    .orderBy('number', 'desc')
    .offset((pageNo - 1) * PAGE_SIZE)
    .limit(PAGE_SIZE)
    .execute()
  const { rows: counts } = await sql<{ total: bigint }>`
    select coalesce((select max(number) from colour_rounds), 0)
      - (select count(*) from colour_rounds where state = 'open') as total`.execute(db)
  return { rows, total: Number(counts[0]?.total ?? 0n) }
}

export const betHistory = (userNumber: number): History<ResultRow, Bet> => ({
  rows: sql`select * from colour_results where user_number = ${userNumber}`,
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
