import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import { portion, type Usdt } from '../../../protocol/money.ts'
import type { OrderId } from '../../../protocol/plans.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { post } from '../../ledger/post.ts'
import { type Db, type Tx, transaction } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import { findSuspects, holdRewards, lockEarners } from '../referrals/holds.ts'
import type { UplineRewards } from '../referrals/upline-rewards.ts'

/** Every upline reward with its purchase, for referrals. A left join, because PostgreSQL can remove an unused one. */
export const uplineRewards: UplineRewards = sql`
  select r.order_id, r.level, r.user_number, r.percent, r.amount, r.paid_at, o.user_number as buyer_number
  from upline_rewards r left join plan_orders o on o.id = r.order_id`

/**
 * Records who in the upline earns from an order, by the current tree and plans. Pays nothing yet (R14). Ancestors who
 * never had a bound session earn nothing, and the pool keeps their part: unbound accounts cost nothing to make.
 */
export async function recordUpline(
  tx: Tx,
  order: { id: OrderId; userNumber: number; amount: Usdt },
  percents: readonly bigint[],
): Promise<void> {
  const { rows } = await sql<{ number: number; level: number }>`
    select ancestor.number, ancestor.level
    from users u,
      lateral (
        select u.path[cardinality(u.path) - level] as number, level
        from generate_series(1, least(${percents.length}, cardinality(u.path) - 1)) as level
      ) as ancestor
      join users earner on earner.number = ancestor.number and earner.bound_at is not null
      join ledger_accounts a on a.id = ${userAccount(0, 'plan')} + ancestor.number::bigint * ${ACCOUNTS_PER_USER}
    where u.number = ${order.userNumber} and a.balance > 0
    order by level`.execute(tx)
  const rewards = rows.flatMap(({ number, level }) => {
    const percent = percents[level - 1] ?? 0n
    const amount = portion(order.amount, percent, 100n)
    return amount > 0n ? [{ order_id: order.id, level, user_number: number, percent: Number(percent), amount }] : []
  })
  if (rewards.length > 0) await tx.insertInto('upline_rewards').values(rewards).execute()
}

const ACCOUNTS_PER_USER = userAccount(1, 'plan') - userAccount(0, 'plan')

/** Pays an order's upline from the reward pool, all levels or none. Returns false if the pool cannot cover it. */
export async function payUpline(tx: Tx, orderId: OrderId): Promise<boolean> {
  const rewards = await tx
    .selectFrom('upline_rewards')
    .select(['user_number', 'amount'])
    .where('order_id', '=', orderId)
    .where('paid_at', 'is', null)
    .execute()
  if (rewards.length === 0) return true
  const suspects = await findSuspects(tx, uplineRewards, orderId)
  // One lock for both postings, this one and that of `holdRewards`.
  await lockEarners(tx, rewards)
  const movements = rewards.map(({ user_number, amount }) => ({
    from: systemAccount('reward_pool'),
    to: userAccount(user_number, 'referral'),
    amount,
  }))
  try {
    await post(tx, { kind: 'upline_reward', reference: orderId, movements })
  } catch (error) {
    if (error instanceof AppError && error.code === 'insufficient_balance') return false
    throw error
  }
  await tx.updateTable('upline_rewards').set({ paid_at: sql<Date>`now()` }).where('order_id', '=', orderId).execute()
  await holdRewards(tx, suspects)
  await publish(tx, ...rewards.map(({ user_number }) => ({ topic: 'balance', user: user_number })))
  return true
}

const ORDERS_AT_ONCE = 1_000

/** Pays upline rewards deferred by an empty pool, oldest order first, until the pool is empty again. */
export async function payDeferredUplines(db: Db): Promise<void> {
  const { rows } = await sql<{ id: OrderId }>`
    select id from plan_orders o
    where upline_completed_at is not null
      and exists (select from upline_rewards r where r.order_id = o.id and r.paid_at is null)
    order by ordered_at limit ${ORDERS_AT_ONCE}`.execute(db)
  for (const { id } of rows) {
    const isPaid = await transaction(db, async (tx) => {
      await tx.selectFrom('plan_orders').select('id').where('id', '=', id).forUpdate().execute()
      return payUpline(tx, id)
    })
    if (!isPaid) return
  }
}
