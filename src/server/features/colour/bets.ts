import { sql } from 'kysely'
import type { Bet } from '../../../protocol/colour.ts'
import type { Colour } from '../../../protocol/colour-odds.ts'
import { AppError } from '../../../protocol/errors.ts'
import type { Usdt } from '../../../protocol/money.ts'
import { terms } from '../../../protocol/terms.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { requireRunning } from '../../ledger/halt.ts'
import { post } from '../../ledger/post.ts'
import { newId, type Tx } from '../../platform/db.ts'
import { checkBet, lockPlayer } from './limits.ts'
import { publicBet } from './queries.ts'

export type NewBet = { userNumber: number; colour: Colour; stake: Usdt }

const TABLE_LOCK = 7_403
const BETTING_CLOSED = 'WP001'

/** Takes a bet: time, limits, what the house can pay and the stake itself are one decision under one lock. */
export async function placeBet(tx: Tx, { userNumber, colour, stake }: NewBet): Promise<Bet> {
  await lockPlayer(tx, userNumber)
  await requireRunning(tx)
  await checkBet(tx, userNumber, stake)
  const round = await getOpenRound(tx)
  // One bet at a time from here: each sees what all earlier ones could cost the house.
  await sql`select pg_advisory_xact_lock(${TABLE_LOCK}::bigint)`.execute(tx)
  const id = newId()
  await insertBet(tx, { id, round, user_number: userNumber, colour, stake })
  await checkExposure(tx)
  const movements = [{ from: userAccount(userNumber, 'bet'), to: systemAccount('bet_escrow'), amount: stake }]
  await post(tx, { kind: 'bet', reference: id, movements })
  const placed = await findBet(tx, id)
  if (!placed) throw new Error('a bet vanished')
  return placed
}

async function findBet(tx: Tx, id: string): Promise<Bet | undefined> {
  const row = await tx.selectFrom('colour_results').selectAll().where('id', '=', id).executeTakeFirst()
  return row && publicBet({ ...row, state: 'open', draw: null, outcome: null })
}

async function getOpenRound(tx: Tx): Promise<bigint> {
  const { rows } = await sql<{ number: bigint }>`
    select number from colour_rounds
    where state = 'open' and opens_at <= clock_timestamp() and closes_at > clock_timestamp()`.execute(tx)
  if (!rows[0]) throw closed()
  return rows[0].number
}

const closed = () =>
  new AppError('round_closed', `Betting is closed. The next round opens within ${terms.colourRoundSeconds} seconds.`)

type Row = { id: string; round: bigint; user_number: number; colour: Colour; stake: Usdt }

/** The database refuses a bet that got here after closing, by its own clock, while it holds the round's row. */
async function insertBet(tx: Tx, row: Row): Promise<void> {
  try {
    await tx.insertInto('colour_bets').values(row).execute()
  } catch (error) {
    throw (error as { code?: string }).code === BETTING_CLOSED ? closed() : error
  }
}

/**
 * What all rounds under way could cost is never more than `house` holds. One statement, so house and rounds are of the
 * same moment; a settlement in between lowers both.
 */
async function checkExposure(tx: Tx): Promise<void> {
  const { rows } = await sql<{ covered: boolean }>`
    select coalesce(sum(greatest(0, stake_green * colour_pays('green') - total, stake_red * colour_pays('red') - total,
      stake_violet * colour_pays('violet') - total)), 0)
      <= (select balance from ledger_accounts where id = ${systemAccount('house')}) as covered
    from (select *, stake_green + stake_red + stake_violet as total from colour_rounds where state = 'open')`.execute(
    tx,
  )
  if (!rows[0]?.covered)
    throw new AppError(
      'round_full',
      'The house could not pay this bet if it won, so it is not taken. Try a smaller one.',
    )
}
