import { sql } from 'kysely'
import type { Bet } from '../../protocol/colour.ts'
import type { Usdt } from '../../protocol/money.ts'
import type { Terms } from '../../protocol/terms.ts'
import { closed, full, type NewBet } from '../features/colour/betting.ts'
import { checkBet, type Player } from '../features/colour/limits.ts'
import { publicBet } from '../features/colour/queries.ts'
import { systemAccount, userAccount } from '../ledger/accounts.ts'
import { requireRunning } from '../ledger/halt.ts'
import { post } from '../ledger/post.ts'
import { newId, type Tx } from '../platform/db.ts'
import { termsAt } from '../platform/terms.ts'

/*
 * The same rules in their simplest form: one bet per transaction, one bet at a time, and every figure computed from the
 * bets. A test compares its answers with those of groups, and the benchmark compares the speed.
 */

const PLAYER_LOCK = 7_404
const TABLE_LOCK = 7_403
const BETTING_CLOSED = 'WP001'

export async function placeLockedBet(tx: Tx, { userNumber, colour, stake }: NewBet): Promise<Bet> {
  await sql`select pg_advisory_xact_lock(${PLAYER_LOCK}::int, ${userNumber}::int)`.execute(tx)
  await requireRunning(tx)
  const open = await findOpenRound(tx)
  const terms = await termsAt(tx, open?.opens_at)
  await checkPlayer(tx, userNumber, stake, terms)
  if (!open) throw closed(terms)
  await sql`select pg_advisory_xact_lock(${TABLE_LOCK}::bigint)`.execute(tx)
  const id = newId()
  const row = { id, round: open.number, user_number: userNumber, colour, stake }
  await tx
    .insertInto('colour_bets')
    .values(row)
    .execute()
    .catch((error) => {
      throw error.code === BETTING_CLOSED ? closed(terms) : error
    })
  await checkExposure(tx)
  const movements = [{ from: userAccount(userNumber, 'bet'), to: systemAccount('bet_escrow'), amount: stake }]
  await post(tx, { kind: 'bet', reference: id, movements })
  return publicBet(await tx.selectFrom('colour_results').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
}

async function findOpenRound(tx: Tx): Promise<{ number: bigint; opens_at: Date } | undefined> {
  const { rows } = await sql<{ number: bigint; opens_at: Date }>`
    select number, opens_at from colour_rounds
    where state = 'open' and opens_at <= clock_timestamp() and closes_at > clock_timestamp()`.execute(tx)
  return rows[0]
}

async function checkPlayer(tx: Tx, userNumber: number, stake: Usdt, terms: Terms): Promise<void> {
  const { rows } = await sql<Player & { balance: Usdt }>`
    select ${userNumber}::int as user_number, colour_limit_at(${userNumber}, 'loss', clock_timestamp()) as loss,
      colour_limit_at(${userNumber}, 'stake', clock_timestamp()) as stake,
      colour_excluded_at(${userNumber}, clock_timestamp()) as excluded_until,
      (select balance from ledger_accounts where id = ${userAccount(userNumber, 'bet')}) as balance,
      coalesce(sum(bet.stake) filter (where state <> 'refunded'), 0)::bigint as staked_today,
      coalesce(sum(bet.stake - payout), 0)::bigint as lost_today
    from colour_results bet
    where user_number = ${userNumber} and placed_at >= date_trunc('day', clock_timestamp(), 'UTC')`.execute(tx)
  if (!rows[0]) throw new Error('an aggregate returned no row')
  checkBet(rows[0], stake, rows[0].balance, terms)
}

async function checkExposure(tx: Tx): Promise<void> {
  const { rows } = await sql<{ covered: boolean }>`
    select coalesce(sum(greatest(0, stake_green * pays_green - total, stake_red * pays_red - total,
      stake_violet * pays_violet - total)), 0)
      <= (select balance from ledger_accounts where id = ${systemAccount('house')}) as covered
    from (select *, stake_green + stake_red + stake_violet as total from colour_rounds
      where state in ('open', 'drawn')) as unsettled`.execute(tx)
  if (!rows[0]?.covered) throw full()
}
