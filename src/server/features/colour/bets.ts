import { sql } from 'kysely'
import type { Bet } from '../../../protocol/colour.ts'
import type { Colour } from '../../../protocol/colour-odds.ts'
import { AppError } from '../../../protocol/errors.ts'
import type { Usdt } from '../../../protocol/money.ts'
import type { Terms } from '../../../protocol/terms.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { requireRunning } from '../../ledger/halt.ts'
import { post } from '../../ledger/post.ts'
import { newId, type Tx } from '../../platform/db.ts'
import { termsAt } from '../../platform/terms.ts'
import { checkBet, lockPlayer } from './limits.ts'
import { publicBet } from './queries.ts'

export type NewBet = { userNumber: number; colour: Colour; stake: Usdt }

const TABLE_LOCK = 7_403
const BETTING_CLOSED = 'WP001'

/** Checks closing time, limits and what the house can pay, then posts the stake: one transaction, under locks. */
export async function placeBet(tx: Tx, { userNumber, colour, stake }: NewBet): Promise<Bet> {
  await lockPlayer(tx, userNumber)
  await requireRunning(tx)
  const open = await findOpenRound(tx)
  // A bet has the terms of its round: those in force when the round opened.
  const terms = await termsAt(tx, open?.opens_at)
  await checkBet(tx, userNumber, stake, terms)
  if (!open) throw closed(terms)
  // From here bets run one at a time, so each exposure check includes all earlier bets.
  await sql`select pg_advisory_xact_lock(${TABLE_LOCK}::bigint)`.execute(tx)
  const id = newId()
  await insertBet(tx, { id, round: open.number, user_number: userNumber, colour, stake }, terms)
  await checkExposure(tx)
  const movements = [{ from: userAccount(userNumber, 'bet'), to: systemAccount('bet_escrow'), amount: stake }]
  await post(tx, { kind: 'bet', reference: id, movements })
  const placed = await findBet(tx, id)
  if (!placed) throw new Error('the inserted bet was not found')
  return placed
}

async function findBet(tx: Tx, id: string): Promise<Bet | undefined> {
  const row = await tx.selectFrom('colour_results').selectAll().where('id', '=', id).executeTakeFirst()
  return row && publicBet({ ...row, state: 'open', draw: null, outcome: null })
}

async function findOpenRound(tx: Tx): Promise<{ number: bigint; opens_at: Date } | undefined> {
  const { rows } = await sql<{ number: bigint; opens_at: Date }>`
    select number, opens_at from colour_rounds
    where state = 'open' and opens_at <= clock_timestamp() and closes_at > clock_timestamp()`.execute(tx)
  return rows[0]
}

const closed = ({ colourRoundSeconds }: Terms) =>
  new AppError('round_closed', `Betting is closed. The next round opens within ${colourRoundSeconds} seconds.`)

type Row = { id: string; round: bigint; user_number: number; colour: Colour; stake: Usdt }

/** A trigger locks the round's row and refuses the bet if betting has closed by the database's clock. */
async function insertBet(tx: Tx, row: Row, terms: Terms): Promise<void> {
  try {
    await tx.insertInto('colour_bets').values(row).execute()
  } catch (error) {
    throw (error as { code?: string }).code === BETTING_CLOSED ? closed(terms) : error
  }
}

/**
 * The most that all rounds that are not settled yet could cost must not exceed the balance of `house`. One statement reads both, so they
 * come from the same snapshot. A settlement that commits in between lowers both.
 */
async function checkExposure(tx: Tx): Promise<void> {
  const { rows } = await sql<{ covered: boolean }>`
    select coalesce(sum(greatest(0, stake_green * pays_green - total, stake_red * pays_red - total,
      stake_violet * pays_violet - total)), 0)
      <= (select balance from ledger_accounts where id = ${systemAccount('house')}) as covered
    from (select *, stake_green + stake_red + stake_violet as total from colour_rounds
      where state in ('open', 'drawn')) as unsettled`.execute(tx)
  if (!rows[0]?.covered)
    throw new AppError(
      'round_full',
      "The house couldn't pay out this bet if it won, so we can't accept it. Try a smaller amount.",
    )
}
