import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import { add, portion, type Usdt, ZERO } from '../../../protocol/money.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { lockAccounts, post } from '../../ledger/post.ts'
import { type Db, type Tx, transaction } from '../../platform/db.ts'
import { termsAt } from '../../platform/terms.ts'
import { requireFreeFees } from '../withdrawals/fees.ts'
import { findExclusion } from './limits.ts'
import type { RoundRow } from './tables.ts'

type QueuedBet = Pick<RoundRow, 'opens_at' | 'state'> & { id: string; user_number: number; stake: Usdt; path: number[] }

const UPLINE_LOCK = 7_402

/** Lets one transaction at a time pay the uplines of a player's bets. It does not delay new bets. */
async function lockUplines(tx: Tx, userNumber: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${UPLINE_LOCK}::int, ${userNumber}::int)`.execute(tx)
}

/** Undefined: the round is not settled yet, so nothing is paid. */
type Requested = Usdt | undefined

/** Pays the upline reward of the caller's oldest unpaid bet of this amount. Bets of settled rounds come first. */
export async function payRequestedUpline(tx: Tx, userNumber: number, amount: Usdt): Promise<Requested> {
  await lockUplines(tx, userNumber)
  const { rows } = await sql<QueuedBet>`${queued}
    where b.user_number = ${userNumber} and b.stake = ${amount} and r.state <> 'refunded'
    order by r.state <> 'settled', b.placed_at limit 1`.execute(tx)
  if (!rows[0])
    throw new AppError('amount_mismatch', 'You have no bet of this amount with an unpaid upline reward', 'amount')
  return rows[0].state === 'settled' ? await payUpline(tx, rows[0]) : undefined
}

const queued = sql`
  select b.id, b.user_number, b.stake, u.path, r.state, r.opens_at
  from colour_upline_queue q join colour_bets b on b.id = q.bet_id join colour_rounds r on r.number = b.round
    join users u on u.number = b.user_number`

/**
 * Pays the nearest ancestors from `fees`, once per bet (R14), and only for a finished round: the stake of an open one may
 * still be returned (R29). Refunded bets and excluded players earn them nothing. The percents are those at the opening of
 * the round.
 */
async function payUpline(tx: Tx, bet: QueuedBet): Promise<Usdt> {
  const earns = bet.state === 'settled' && !(await findExclusion(tx, bet.user_number))
  const { colourUplinePermille } = await termsAt(tx, bet.opens_at)
  const ancestors = earns ? bet.path.slice(0, -1).reverse().slice(0, colourUplinePermille.length) : []
  const earners = await listEarners(tx, bet.id, ancestors)
  const permilles = ancestors.map((ancestor, level) =>
    earners.has(ancestor) ? (colourUplinePermille[level] ?? 0n) : 0n,
  )
  const amounts = permilles.map((permille) => portion(bet.stake, permille, 1_000n))
  await tx.deleteFrom('colour_upline_queue').where('bet_id', '=', bet.id).execute()
  await tx
    .insertInto('colour_uplines')
    .values({ bet_id: bet.id, ancestors, amounts, permilles: permilles.map(Number) })
    .execute()
  const movements = ancestors.flatMap((ancestor, level) => {
    const amount = amounts[level] ?? ZERO
    return amount > 0n ? [{ from: systemAccount('fees'), to: userAccount(ancestor, 'referral'), amount }] : []
  })
  const paid = add(...amounts)
  if (paid === ZERO) return ZERO
  await lockAccounts(tx, [systemAccount('fees'), ...movements.map(({ to }) => to)])
  await requireFreeFees(tx, paid)
  await post(tx, { kind: 'colour_upline', reference: bet.id, movements })
  return paid
}

/**
 * Ancestors who had a bound session when the bet was placed. The others, and those who deleted their account, earn
 * nothing, as for plans. If one is deleted before the posting, it fails and is tried again (platform/db.ts).
 */
async function listEarners(tx: Tx, betId: string, ancestors: number[]): Promise<Set<number>> {
  const { rows } = await sql<{ number: number }>`
    select u.number from users u join colour_bets b on b.id = ${betId}
    where u.number = any(${ancestors}) and u.bound_at <= b.placed_at
      and u.deleted_at is null`.execute(tx)
  return new Set(rows.map(({ number }) => number))
}

const SWEEP_MAX = 1_000
const SWEEP_MINUTES = 15

/** Pays the rewards of finished rounds that no later request paid. Stops when `fees` cannot cover the next one. */
export async function sweepUplines(db: Db): Promise<void> {
  while ((await sweepBatch(db)) === 'more');
}

async function sweepBatch(db: Db): Promise<'more' | 'done'> {
  const { rows } = await sql<QueuedBet>`${queued}
    where r.state in ('settled', 'refunded') and b.placed_at < clock_timestamp() - make_interval(mins => ${SWEEP_MINUTES})
    order by b.placed_at limit ${SWEEP_MAX}`.execute(db)
  for (const bet of rows) {
    const paid = await transaction(db, (tx) => sweepOne(tx, bet)).catch(giveUpWhenEmpty)
    if (paid === 'empty') return 'done'
  }
  return rows.length === SWEEP_MAX ? 'more' : 'done'
}

async function sweepOne(tx: Tx, bet: QueuedBet): Promise<void> {
  await lockUplines(tx, bet.user_number)
  const waiting = await tx
    .selectFrom('colour_upline_queue')
    .select('bet_id')
    .where('bet_id', '=', bet.id)
    .executeTakeFirst()
  if (waiting) await payUpline(tx, bet)
}

function giveUpWhenEmpty(error: unknown): 'empty' {
  if (error instanceof AppError && error.code === 'insufficient_balance') return 'empty'
  throw error
}
