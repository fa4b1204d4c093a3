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

/** The tier somebody asks for, if the amount is one of its amounts. */
export function getTier(packageType: number, amount: Usdt): Tier {
  const tier = terms.tiers.find((candidate) => candidate.packageType === packageType)
  if (!tier) throw new AppError('invalid_input', 'This package type does not exist', 'package_type')
  throwIfRefused(refuseTierAmount(amount, tier), 'usdt_amount')
  return tier
}

type Purchase = { userNumber: number; packageType: number; amount: Usdt; transHash: string; today: Day }

/** A plan from the wallet balance. Its upline is released at once: nobody has to call for it. */
export async function buyFromWallet(tx: Tx, purchase: Purchase): Promise<OrderId> {
  const planBefore = await lockForPurchase(tx, purchase, 'wallet')
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
    const planBefore = await lockForPurchase(tx, purchase, 'chain')
    const reference = await purchased(tx, { ...purchase, source: 'chain', claimId: claim.id, planBefore })
    return { kind: 'plan_purchase', reference }
  },
})

/** Holds the balances until the transaction ends; returns the plan held before. */
async function lockForPurchase(tx: Tx, { userNumber, amount }: Purchase, source: 'wallet' | 'chain'): Promise<Usdt> {
  const { planAmount, planAmountMax, wallet } = await lockTopUpBalances(tx, userNumber)
  const bounds = { planAmount, planAmountMax, wallet: source === 'wallet' ? wallet : undefined }
  throwIfRefused(refusePurchase(amount, bounds), 'usdt_amount')
  return planAmount
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
