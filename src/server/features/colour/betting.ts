import { sql } from 'kysely'
import { exposureOf, type Stakes } from '../../../protocol/colour-draw.ts'
import type { Colour } from '../../../protocol/colour-odds.ts'
import { AppError } from '../../../protocol/errors.ts'
import { add, subtract, type Usdt, ZERO } from '../../../protocol/money.ts'
import type { Terms } from '../../../protocol/terms.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { findHalt, type Halt, paused } from '../../ledger/halt.ts'
import { lockAccounts } from '../../ledger/post.ts'
import type { Tx } from '../../platform/db.ts'
import { termsOf } from '../../platform/terms.ts'
import { checkBet, listPlayers, type Player } from './limits.ts'

export type NewBet = { userNumber: number; colour: Colour; stake: Usdt }

/** What decides whether a bet is accepted, read under locks. `acceptBet` updates it for the next bet of the group. */
export type Betting = {
  /** The time of all bets of this group. The text has the microseconds that a Date lacks. */
  at: Date
  atText: string
  round: OpenRound | undefined
  /** A bet has the terms of its round: those in force when the round opened. */
  terms: Terms
  halt: Halt | undefined
  house: Usdt
  /** The most that the other rounds that are not settled yet could cost. */
  committed: Usdt
  players: Map<number, Player & { balance: Usdt }>
}
type OpenRound = { number: bigint; stakes: Stakes; pays: Record<Colour, bigint> }

const TABLE_LOCK = 7_403

/**
 * Locks the table and the players' bet wallets, then reads. Groups run one at a time, in all processes, so each one finds
 * the stakes of all earlier ones. The clock is read under the locks: a limit or an exclusion that was set before this
 * moment is committed, and one that is set after the group has a later time.
 */
export async function lockBetting(tx: Tx, userNumbers: readonly number[]): Promise<Betting> {
  const users = [...new Set(userNumbers)]
  await sql`select pg_advisory_xact_lock(${TABLE_LOCK}::bigint)`.execute(tx)
  const balances = await lockAccounts(
    tx,
    users.map((user) => userAccount(user, 'bet')),
  )
  const table = await readTable(tx)
  const halt = await findHalt(tx)
  const players = await listPlayers(tx, users, sql`${table.atText}::timestamptz`)
  const seated = players.map((player) => {
    const balance = balances.get(userAccount(player.user_number, 'bet')) ?? ZERO
    return [player.user_number, { ...player, balance }] as const
  })
  return { ...table, halt, players: new Map(seated) }
}

type TableRow = {
  at: Date
  at_text: string
  terms: string | null
  house: Usdt
  committed: Usdt
  number: bigint | null
} & Record<`stake_${Colour}`, Usdt> &
  Record<`pays_${Colour}`, bigint>

/**
 * One statement reads the rounds and the balance of `house`, so they come from the same snapshot. A settlement that
 * commits in between lowers what the rounds could cost by at least as much as the balance.
 */
async function readTable(tx: Tx): Promise<Omit<Betting, 'halt' | 'players'>> {
  const { rows } = await sql<TableRow>`
    with moment as materialized (select clock_timestamp() as at)
    select at, at::text as at_text, terms_at(coalesce(open.opens_at, now()))::text as terms, open.number,
      open.stake_green, open.stake_red, open.stake_violet, open.pays_green, open.pays_red, open.pays_violet,
      (select balance from ledger_accounts where id = ${systemAccount('house')}) as house,
      (select coalesce(sum(greatest(0, stake_green * pays_green - total, stake_red * pays_red - total,
          stake_violet * pays_violet - total)), 0)::bigint
        from (select *, stake_green + stake_red + stake_violet as total from colour_rounds
          where state in ('open', 'drawn')) as other
        where other.number is distinct from open.number) as committed
    from moment left join colour_rounds open on open.state = 'open' and open.opens_at <= at and open.closes_at > at`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw new Error('the clock query returned no row')
  const { at, at_text: atText, terms, house, committed } = row
  return { at, atText, terms: termsOf(terms ?? undefined), house, committed, round: openRoundOf(row) }
}

function openRoundOf({ number, ...row }: TableRow): OpenRound | undefined {
  if (number === null) return undefined
  const stakes = { green: row.stake_green, red: row.stake_red, violet: row.stake_violet }
  return { number, stakes, pays: { green: row.pays_green, red: row.pays_red, violet: row.pays_violet } }
}

/** Returns the round that the bet enters, and counts it for the bets after it. Throws, with the reason, to refuse it. */
export function acceptBet(betting: Betting, { userNumber, colour, stake }: NewBet): OpenRound {
  const { round, terms, halt, house, committed } = betting
  const player = betting.players.get(userNumber)
  if (!player) throw new Error(`player ${userNumber} is not locked`)
  if (halt) throw paused(halt)
  checkBet(player, stake, player.balance, terms)
  if (!round) throw closed(terms)
  const stakes = { ...round.stakes, [colour]: add(round.stakes[colour], stake) }
  if (add(committed, exposureOf(stakes, round.pays)) > house) throw full()
  round.stakes = stakes
  player.balance = subtract(player.balance, stake)
  player.staked_today = add(player.staked_today, stake)
  player.lost_today = add(player.lost_today, stake)
  return round
}

export const closed = ({ colourRoundSeconds }: Terms) =>
  new AppError('round_closed', `Betting is closed. The next round opens within ${colourRoundSeconds} seconds.`)

export const full = () =>
  new AppError(
    'round_full',
    "The house couldn't pay out this bet if it won, so we can't accept it. Try a smaller amount.",
  )
