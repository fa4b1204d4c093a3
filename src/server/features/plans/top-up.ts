import { AppError } from '../../../protocol/errors.ts'
import { add, formatUsdt, type Usdt, ZERO } from '../../../protocol/money.ts'
import { findTier, type OrderId } from '../../../protocol/plans.ts'
import { terms } from '../../../protocol/terms.ts'
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

/** The first call: decides on the fee from the plan held before, and applies the rules to the whole amount (R1). */
export async function topUp(tx: Tx, { userNumber, source, main, gross, transHash, today }: TopUp): Promise<OrderId> {
  const balances = await lockTopUpBalances(tx, userNumber)
  const whole = gross ?? wholeOf(main, balances.planAmount)
  const parts = splitTopUp(whole, balances.planAmount)
  if (parts.main !== main)
    throw new AppError(
      'amount_mismatch',
      `Of ${formatUsdt(whole)} USDT the first purchase carries ${formatUsdt(parts.main)}: your plan has changed, load it again`,
      'usdt_amount',
    )
  throwIfRefused(refuseTopUp(whole, source, balances), 'usdt_amount')
  const planAfter = add(balances.planAmount, main)
  const tier = findTier(terms.tiers, planAfter)
  if (!tier) throw new Error(`no tier for a plan of ${formatUsdt(planAfter)}`)
  const order = { userNumber, packageType: mainPackageType[source], source, transHash, today, tier }
  return placeOrder(tx, { ...order, amount: whole, fee: parts.fee, planBefore: balances.planAmount })
}

type Wanted = { userNumber: number; amount: Usdt; orderId?: OrderId | undefined }

/** The fee call: completes an order that this fee belongs to. Moves money once, however often it is called. */
export async function settleFee(tx: Tx, source: TopUpSource, wanted: Wanted): Promise<OrderId> {
  const { id } = await findOrder(tx, { ...wanted, part: 'fee', packageType: mainPackageType[source] })
  await completeFee(tx, id)
  return id
}

/** The upline call: completes an order of this whole amount. It can only release what a posted purchase wrote down. */
export async function releaseUpline(tx: Tx, wanted: Wanted): Promise<OrderId> {
  const { id } = await findOrder(tx, { ...wanted, part: 'upline', packageType: undefined })
  await completeUpline(tx, id)
  return id
}

/** The calls name no order: the oldest open one of that amount is meant, or, for a repeat, the newest done one. */
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
  if (other) throw new AppError('amount_mismatch', 'Your open order has another amount')
  const repeated = await fitting.orderBy('ordered_at', 'desc').limit(1).executeTakeFirst()
  if (repeated) return repeated
  throw new AppError('unknown_order', 'You have no order of this amount')
}
