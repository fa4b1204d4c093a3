import { AppError } from '../../../protocol/errors.ts'
import { add, formatUsdt, type Usdt, ZERO } from '../../../protocol/money.ts'
import { findTier, type OrderId } from '../../../protocol/plans.ts'
import type { Day } from '../../../protocol/time.ts'
import { mainPackageType, refuseTopUp, splitTopUp, type TopUpSource, wholeOf } from '../../../protocol/top-up.ts'
import type { Tx } from '../../platform/db.ts'
import { throwIfRefused } from '../../platform/refusals.ts'
import { lockTopUpBalances } from './availability.ts'
import { completeFee, completeUpline, placeOrder } from './orders.ts'

export type TopUp = {
  userNumber: number
  source: TopUpSource
  main: Usdt
  gross: Usdt | undefined
  transHash: string
  today: Day
}

/** First call: derives the fee from the current plan amount, and checks the rules on the whole amount (R1). */
export async function topUp(tx: Tx, { userNumber, source, main, gross, transHash, today }: TopUp): Promise<OrderId> {
  const balances = await lockTopUpBalances(tx, userNumber)
  const whole = gross ?? wholeOf(main, balances.planAmount)
  const parts = splitTopUp(whole, balances.planAmount)
  if (parts.main !== main)
    throw new AppError(
      'amount_mismatch',
      `Your plan has changed: of ${formatUsdt(whole)} USDT, ${formatUsdt(parts.main)} USDT now goes to it. Reload and try again.`,
      'usdt_amount',
    )
  throwIfRefused(refuseTopUp(whole, source, balances), 'usdt_amount')
  const planAfter = add(balances.planAmount, main)
  const { terms } = balances
  const tier = findTier(terms.tiers, planAfter)
  if (!tier) throw new Error(`no tier for a plan of ${formatUsdt(planAfter)}`)
  const order = { userNumber, packageType: mainPackageType[source], source, transHash, today, tier, terms }
  return placeOrder(tx, { ...order, amount: whole, fee: parts.fee, planBefore: balances.planAmount })
}

type Wanted = { userNumber: number; amount: Usdt; orderId?: OrderId | undefined }

/** Fee call: settles the fee of the matching order. Repeated calls move no more money. */
export async function settleFee(tx: Tx, source: TopUpSource, wanted: Wanted): Promise<OrderId> {
  const { id } = await findOrder(tx, { ...wanted, part: 'fee', packageType: mainPackageType[source] })
  await completeFee(tx, id)
  return id
}

/** Upline call: releases the upline rewards that the order of this amount has recorded, and no others. */
export async function releaseUpline(tx: Tx, wanted: Wanted): Promise<OrderId> {
  const { id } = await findOrder(tx, { ...wanted, part: 'upline', packageType: undefined })
  await completeUpline(tx, id)
  return id
}

/** Without an order id, takes the oldest open order of this amount or, on a repeat, the newest completed one. */
async function findOrder(
  tx: Tx,
  {
    userNumber,
    amount,
    orderId,
    part,
    packageType,
  }: Wanted & { part: 'fee' | 'upline'; packageType?: number | undefined },
) {
  const [column, done] =
    part === 'fee' ? (['fee', 'fee_completed_at'] as const) : (['amount', 'upline_completed_at'] as const)
  const own = tx
    .selectFrom('plan_orders')
    .select('id')
    .where('user_number', '=', userNumber)
    .where('fee', part === 'fee' ? '>' : '>=', ZERO)
    .$if(packageType !== undefined, (query) => query.where('package_type', '=', packageType ?? 0))
    .$if(orderId !== undefined, (query) => query.where('id', '=', orderId as OrderId))
  const fitting = own.where(column, '=', amount)
  const open = await fitting.where(done, 'is', null).orderBy('ordered_at').orderBy('id').limit(1).executeTakeFirst()
  if (open) return open
  const other = await own.where(done, 'is', null).limit(1).executeTakeFirst()
  if (other) throw new AppError('amount_mismatch', 'Your open order has a different amount')
  const repeated = await fitting.orderBy('ordered_at', 'desc').limit(1).executeTakeFirst()
  if (repeated) return repeated
  if (part === 'fee') await refuseOtherSource(tx, { userNumber, amount })
  throw new AppError('unknown_order', 'You have no order for this amount')
}

/** The fee of a top-up from daily rewards was called for one from referral rewards, or the other way round. */
async function refuseOtherSource(tx: Tx, { userNumber, amount }: Wanted): Promise<void> {
  const other = await tx
    .selectFrom('plan_orders')
    .select('id')
    .where('user_number', '=', userNumber)
    .where('fee', '>', ZERO)
    .where((is) => is.or([is('fee', '=', amount), is('fee_completed_at', 'is', null)]))
    .limit(1)
    .executeTakeFirst()
  if (other)
    throw new AppError('source_mismatch', 'Your re top up was paid from the other reward balance', 'package_type')
}
