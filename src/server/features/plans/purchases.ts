import { AppError } from '../../../protocol/errors.ts'
import { type Usdt, ZERO } from '../../../protocol/money.ts'
import { type OrderId, refusePurchase, refuseTierAmount } from '../../../protocol/plans.ts'
import type { Terms, Tier } from '../../../protocol/terms.ts'
import type { Day } from '../../../protocol/time.ts'
import type { Claim, Claimant } from '../../chain/deposits/claims.ts'
import { type Clock, readToday } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import { throwIfRefused } from '../../platform/refusals.ts'
import { lockTopUpBalances } from './availability.ts'
import { lockPlanCalls } from './lock.ts'
import { completeUpline, type NewOrder, placeOrder } from './orders.ts'

/** The tier of a package type. Throws if there is none, or if the amount is outside its range. */
export function getTier({ tiers }: Pick<Terms, 'tiers'>, packageType: number, amount: Usdt): Tier {
  const tier = tiers.find((candidate) => candidate.packageType === packageType)
  if (!tier) throw new AppError('invalid_input', 'This package type does not exist', 'package_type')
  throwIfRefused(refuseTierAmount(amount, tier), 'usdt_amount')
  return tier
}

type Purchase = { userNumber: number; packageType: number; amount: Usdt; transHash: string; today: Day }

/** Buys a plan from the wallet balance. Releases the upline rewards too: they need no separate call. */
export async function buyFromWallet(tx: Tx, purchase: Purchase): Promise<OrderId> {
  const locked = await lockForPurchase(tx, purchase, 'wallet')
  return placePurchase(tx, { ...purchase, ...locked, source: 'wallet' })
}

/**
 * Credits a proven payment as a plan, or to the wallet balance if the user has reached the cap in the meantime. The
 * terms are those of the claim: the payment may become final much later.
 */
export const planClaimant = (clock: Clock): Claimant => ({
  product: 'plan',
  async credit(tx, payment, claim) {
    const userNumber = claim.userNumber ?? 0
    await lockPlanCalls(tx, userNumber)
    const today = await readToday(tx, clock)
    const { packageType } = claim.details as { packageType: number }
    const purchase = { userNumber, packageType, amount: claim.amount, transHash: payment.txHash, today }
    const locked = await lockForPurchase(tx, purchase, 'chain', claim.claimedAt)
    const reference = await placePurchase(tx, { ...purchase, ...locked, source: 'chain', claimId: claim.id })
    return { kind: 'plan_purchase', reference }
  },
})

/** Locks the balances until the transaction ends. Returns the plan amount before the purchase, its terms and its tier. */
async function lockForPurchase(
  tx: Tx,
  { userNumber, packageType, amount }: Purchase,
  source: 'wallet' | 'chain',
  at?: Date,
): Promise<Pick<NewOrder, 'planBefore' | 'terms' | 'tier'>> {
  const { planAmount, planAmountMax, wallet, terms } = await lockTopUpBalances(tx, userNumber, {
    at,
    paysUpline: true,
  })
  const tier = getTier(terms, packageType, amount)
  const bounds = { planAmount, planAmountMax, wallet: source === 'wallet' ? wallet : undefined }
  throwIfRefused(refusePurchase(amount, bounds), 'usdt_amount')
  return { planBefore: planAmount, terms, tier }
}

async function placePurchase(tx: Tx, order: Omit<NewOrder, 'fee'>): Promise<OrderId> {
  const id = await placeOrder(tx, { ...order, fee: ZERO })
  await completeUpline(tx, id)
  return id
}

/** The error for a claim that failed or whose money went to the wallet balance. */
export function closedClaimError(claim: Claim): AppError {
  return new AppError('payment_refused', claim.note ?? 'This transaction cannot buy a plan', 'trans_hash')
}
