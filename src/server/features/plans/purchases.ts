import { AppError } from '../../../protocol/errors.ts'
import { type Usdt, ZERO } from '../../../protocol/money.ts'
import { type OrderId, refusePurchase, refuseTierAmount } from '../../../protocol/plans.ts'
import { type Tier, terms } from '../../../protocol/terms.ts'
import type { Day } from '../../../protocol/time.ts'
import type { Claim, Claimant } from '../../chain/deposits/claims.ts'
import { type Clock, readToday } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import { throwIfRefused } from '../../platform/refusals.ts'
import { lockTopUpBalances } from './availability.ts'
import { lockPlanCalls } from './lock.ts'
import { completeUpline, type NewOrder, placeOrder } from './orders.ts'

/** The tier of a package type. Throws if there is none, or if the amount is outside its range. */
export function getTier(packageType: number, amount: Usdt): Tier {
  const tier = terms.tiers.find((candidate) => candidate.packageType === packageType)
  if (!tier) throw new AppError('invalid_input', 'This package type does not exist', 'package_type')
  throwIfRefused(refuseTierAmount(amount, tier), 'usdt_amount')
  return tier
}

type Purchase = { userNumber: number; packageType: number; amount: Usdt; transHash: string; today: Day }

/** Buys a plan from the wallet balance. Releases the upline rewards too: they need no separate call. */
export async function buyFromWallet(tx: Tx, purchase: Purchase): Promise<OrderId> {
  const planBefore = await lockForPurchase(tx, purchase, 'wallet')
  return placePurchase(tx, { ...purchase, source: 'wallet', planBefore })
}

/** Credits a proven payment as a plan, or to the wallet balance if the user has reached the cap in the meantime. */
export const planClaimant = (clock: Clock): Claimant => ({
  product: 'plan',
  async credit(tx, payment, claim) {
    const userNumber = claim.userNumber ?? 0
    await lockPlanCalls(tx, userNumber)
    const today = await readToday(tx, clock)
    const { packageType } = claim.details as { packageType: number }
    const purchase = { userNumber, packageType, amount: claim.amount, transHash: payment.txHash, today }
    const planBefore = await lockForPurchase(tx, purchase, 'chain')
    const reference = await placePurchase(tx, { ...purchase, source: 'chain', claimId: claim.id, planBefore })
    return { kind: 'plan_purchase', reference }
  },
})

/** Locks the balances until the transaction ends. Returns the plan amount before the purchase. */
async function lockForPurchase(tx: Tx, { userNumber, amount }: Purchase, source: 'wallet' | 'chain'): Promise<Usdt> {
  const { planAmount, planAmountMax, wallet } = await lockTopUpBalances(tx, userNumber)
  const bounds = { planAmount, planAmountMax, wallet: source === 'wallet' ? wallet : undefined }
  throwIfRefused(refusePurchase(amount, bounds), 'usdt_amount')
  return planAmount
}

async function placePurchase(tx: Tx, order: Omit<NewOrder, 'tier' | 'fee'>): Promise<OrderId> {
  const tier = getTier(order.packageType, order.amount)
  const id = await placeOrder(tx, { ...order, tier, fee: ZERO })
  await completeUpline(tx, id)
  return id
}

/** The error for a claim that failed or whose money went to the wallet balance. */
export function closedClaimError(claim: Claim): AppError {
  return new AppError('payment_refused', claim.note ?? 'This transaction cannot buy a plan', 'trans_hash')
}
