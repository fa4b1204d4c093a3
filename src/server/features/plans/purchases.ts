import { AppError } from '../../../protocol/errors.ts'
import { formatUsdt, subtract, type Usdt, ZERO } from '../../../protocol/money.ts'
import type { OrderId } from '../../../protocol/plans.ts'
import { type Tier, terms } from '../../../protocol/terms.ts'
import type { Day } from '../../../protocol/time.ts'
import type { Claim, Claimant } from '../../chain/deposits/claims.ts'
import { type Clock, readToday } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import { lockTopUpBalances } from './availability.ts'
import { lockPlanCalls } from './lock.ts'
import { completeUpline, type NewOrder, placeOrder } from './orders.ts'

/** The tier somebody asks for, if the amount is one of its amounts. */
export function getTier(packageType: number, amount: Usdt): Tier {
  const tier = terms.tiers.find((candidate) => candidate.packageType === packageType)
  if (!tier) throw new AppError('invalid_input', 'This package type does not exist', 'package_type')
  const range = `${tier.name} takes ${formatUsdt(tier.from)} to ${formatUsdt(tier.to)} USDT`
  if (amount < tier.from) throw new AppError('amount_below_minimum', range, 'usdt_amount')
  if (amount > tier.to) throw new AppError('amount_above_limit', range, 'usdt_amount')
  return tier
}

type Purchase = { userNumber: number; packageType: number; amount: Usdt; transHash: string; today: Day }

/** A plan from the wallet balance. Its upline is released at once: nobody has to call for it. */
export async function buyFromWallet(tx: Tx, purchase: Purchase): Promise<OrderId> {
  const { planBefore, wallet } = await lockForPurchase(tx, purchase)
  if (purchase.amount > wallet)
    throw new AppError('insufficient_balance', 'Insufficient balance in your wallet', 'usdt_amount')
  return purchased(tx, { ...purchase, source: 'wallet', planBefore })
}

/** Credits a proven payment as the plan it was sent for; a cap reached meanwhile sends it to the wallet instead. */
export const planClaimant = (clock: Clock): Claimant => ({
  product: 'plan',
  async credit(tx, payment, claim) {
    const userNumber = claim.userNumber ?? 0
    await lockPlanCalls(tx, userNumber)
    const today = await readToday(tx, clock)
    const { packageType } = claim.details as { packageType: number }
    const purchase = { userNumber, packageType, amount: claim.amount, transHash: payment.txHash, today }
    const { planBefore } = await lockForPurchase(tx, purchase)
    const reference = await purchased(tx, { ...purchase, source: 'chain', claimId: claim.id, planBefore })
    return { kind: 'plan_purchase', reference }
  },
})

async function lockForPurchase(tx: Tx, { userNumber, amount }: Purchase) {
  const { planAmount, planAmountMax, withdrawableTotal, reward, referral } = await lockTopUpBalances(tx, userNumber)
  const room = subtract(planAmountMax, planAmount)
  if (amount > room)
    throw new AppError('amount_above_limit', `Maximum investment You can ${formatUsdt(room)} USDT`, 'usdt_amount')
  return { planBefore: planAmount, wallet: subtract(subtract(withdrawableTotal, reward), referral) }
}

async function purchased(tx: Tx, order: Omit<NewOrder, 'tier' | 'fee'>): Promise<OrderId> {
  const tier = getTier(order.packageType, order.amount)
  const id = await placeOrder(tx, { ...order, tier, fee: ZERO })
  await completeUpline(tx, id)
  return id
}

/** What became of a claim that will not be served: the words for its owner. */
export function closedClaimError(claim: Claim): AppError {
  return new AppError('payment_refused', claim.note ?? 'This transaction cannot buy a plan', 'trans_hash')
}
