import { sql } from 'kysely'
import { subtract, type Usdt, ZERO } from '../../../protocol/money.ts'
import type { OrderId } from '../../../protocol/plans.ts'
import type { Terms, Tier } from '../../../protocol/terms.ts'
import { addDays, type Day } from '../../../protocol/time.ts'
import { TOP_UP_FEE_ABOVE, TOP_UP_FEE_PERCENT } from '../../../protocol/top-up.ts'
import { type AccountId, systemAccount, userAccount } from '../../ledger/accounts.ts'
import { post } from '../../ledger/post.ts'
import { newId, type Tx } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import { recordVolume } from '../referrals/totals.ts'
import type { OrderSource } from './tables.ts'
import { payUpline, recordUpline } from './upline.ts'

export type NewOrder = {
  userNumber: number
  packageType: number
  source: OrderSource
  transHash: string
  claimId?: string
  amount: Usdt
  fee: Usdt
  planBefore: Usdt
  tier: Tier
  /** Those in force when the user ordered. Order and lot keep them. */
  terms: Terms
  today: Day
}

/** Opens an order in the caller's transaction: starts the lot, moves the money and records the upline rewards. */
export async function placeOrder(tx: Tx, order: NewOrder): Promise<OrderId> {
  const { userNumber, source, amount, fee, tier, terms, today } = order
  const id = newId<'order'>()
  await tx
    .insertInto('plan_orders')
    .values({
      id,
      user_number: userNumber,
      package_type: order.packageType,
      source,
      trans_hash: order.transHash,
      claim_id: order.claimId ?? null,
      amount,
      fee,
      plan_before: order.planBefore,
      fee_above: TOP_UP_FEE_ABOVE,
      fee_percent: Number(TOP_UP_FEE_PERCENT),
    })
    .execute()
  const principal = subtract(amount, fee)
  await tx
    .insertInto('plan_lots')
    .values({
      order_id: id,
      user_number: userNumber,
      tier: tier.name,
      amount: principal,
      daily_rate_ppm: Number(tier.dailyRatePpm),
      health_percent: Number(terms.healthSharePercent),
      started_on: today,
      matures_on: addDays(today, tier.termDays),
    })
    .execute()
  await recordUpline(tx, { id, userNumber, amount }, terms.uplinePercents)
  await recordVolume(tx, userNumber, { volume: principal, active: order.planBefore === ZERO ? 1 : 0 })
  const from = accountOf(source, userNumber)
  const toPlan = { from, to: userAccount(userNumber, 'plan'), amount: principal }
  const toHold = { from, to: userAccount(userNumber, 'hold'), amount: fee }
  const kind = source === 'daily' || source === 'referral' ? 're_top_up' : 'plan_purchase'
  await post(tx, { kind, reference: id, movements: fee > ZERO ? [toPlan, toHold] : [toPlan] })
  await publish(tx, { topic: 'balance', user: userNumber })
  return id
}

function accountOf(source: OrderSource, userNumber: number): AccountId {
  if (source === 'chain') return systemAccount('custody')
  return userAccount(userNumber, source === 'daily' ? 'reward' : source)
}

/** Releases the upline rewards of an order, once. If the pool is empty, a job pays them when it is funded. */
export async function completeUpline(tx: Tx, id: OrderId): Promise<void> {
  const order = await lockOrder(tx, id)
  if (order.upline_completed_at) return
  await tx.updateTable('plan_orders').set({ upline_completed_at: sql<Date>`now()` }).where('id', '=', id).execute()
  await payUpline(tx, id)
}

/** Settles the fee of an order from the amount on hold, once. */
export async function completeFee(tx: Tx, id: OrderId): Promise<void> {
  const order = await lockOrder(tx, id)
  if (order.fee === ZERO || order.fee_completed_at) return
  const movement = { from: userAccount(order.user_number, 'hold'), to: systemAccount('fees'), amount: order.fee }
  await post(tx, { kind: 're_top_up_fee', reference: id, movements: [movement] })
  await tx.updateTable('plan_orders').set({ fee_completed_at: sql<Date>`now()` }).where('id', '=', id).execute()
}

const lockOrder = (tx: Tx, id: OrderId) =>
  tx
    .selectFrom('plan_orders')
    .select(['user_number', 'fee', 'fee_completed_at', 'upline_completed_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
