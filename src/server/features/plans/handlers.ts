import { AppError } from '../../../protocol/errors.ts'
import type { Address } from '../../../protocol/ids.ts'
import { formatUsdt } from '../../../protocol/money.ts'
import { isInternal, type OrderId, packageTypes, type plans } from '../../../protocol/plans.ts'
import type { InputOf, OutputOf } from '../../../protocol/route.ts'
import { claimDeposit, findClaim } from '../../chain/deposits/claims.ts'
import { type Proof, proveDeposit } from '../../chain/deposits/prove.ts'
import type { Handlers, RequestContext } from '../../context.ts'
import { readToday } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import { readPage } from '../../platform/history.ts'
import { termsAt } from '../../platform/terms.ts'
import { findRefusal, requireDeclared } from '../declarations/declarations.ts'
import { findClaimOrder, planHistory } from './history.ts'
import { lockPlanCalls } from './lock.ts'
import { readOffers } from './offers.ts'
import { buyFromWallet, closedClaimError, getTier } from './purchases.ts'
import { releaseUpline, settleFee, topUp } from './top-up.ts'

type BuyInput = InputOf<typeof plans.buy>
type BuyReply = OutputOf<typeof plans.buy>
type BuyContext = RequestContext<typeof plans.buy>

export const handlers: Handlers<typeof plans> = {
  offers: async ({ db }) => ({ status: 'success', Msg: 'Plans', ...(await readOffers(db)) }),

  buy: async (context, input) => {
    checkAddresses(context, input)
    if (!isInternal(input.trans_hash)) return buyOnChain(context, input)
    return context.change((tx) => buyInside(tx, context, input), { scope: 'trans_hash', key: input.trans_hash })
  },

  upline: ({ change, user }, { purchase_amount, order_id }) =>
    change(async (tx) => {
      await lockPlanCalls(tx, user.number)
      const order = await releaseUpline(tx, { userNumber: user.number, amount: purchase_amount, orderId: order_id })
      return { status: 'success', Msg: 'Upline rewards released', order_id: order }
    }),

  history: async ({ db, user }, { pageno: page_no, page_size }) => ({
    status: 'success',
    Msg: 'Plan history',
    ...(await readPage(db, planHistory(user.number), { page_no, page_size })),
  }),
}

/** Purchases paid inside the ledger: a re top up, its fee, or a plan from the wallet balance. */
async function buyInside(tx: Tx, context: BuyContext, input: BuyInput): Promise<BuyReply> {
  const { user, clock } = context
  const { usdt_amount, package_type, gross_amount, trans_hash } = input
  await lockPlanCalls(tx, user.number)
  const today = await readToday(tx, clock)
  const type = packageTypes[package_type as keyof typeof packageTypes]
  const base = { userNumber: user.number, transHash: trans_hash, today }
  // A fee belongs to an order that was placed before.
  if (type?.part !== 'fee') await requireDeclared({ ...context, db: tx })
  if (!type) {
    const id = await buyFromWallet(tx, { ...base, packageType: package_type, amount: usdt_amount })
    return done(id, `Your plan of ${formatUsdt(usdt_amount)} USDT is active`)
  }
  if (type.part === 'fee') {
    const id = await settleFee(tx, type.source, { userNumber: user.number, amount: usdt_amount })
    return done(id, 'Fee settled')
  }
  const id = await topUp(tx, { ...base, source: type.source, main: usdt_amount, gross: gross_amount })
  return done(id, `Your plan grew by ${formatUsdt(usdt_amount)} USDT`)
}

const done = (order_id: OrderId, Msg: string): BuyReply => ({
  status: 'success',
  Msg,
  confirmations: 0,
  confirmations_needed: 0,
  order_id,
})

/** Verifies the payment and stores the claim. The worker completes it even if the browser never returns. */
async function buyOnChain(context: BuyContext, input: BuyInput): Promise<BuyReply> {
  const { db, chain, user, change } = context
  const { usdt_amount: amount, package_type: packageType } = input
  const txHash = input.trans_hash as `0x${string}`
  getTier(await termsAt(db), packageType, amount)
  const known = await findClaim(db, chain.settings.chainId, txHash, user.number)
  if (!known) await refuseUndeclared(context)
  const proof =
    known?.state === 'credited' ? SETTLED : await proveOrWait(chain, txHash, { from: user.walletAddress, amount })
  const newClaim = { payer: user, product: 'plan', txHash, amount, details: { packageType } } as const
  const progress = { confirmations: proof.confirmations, confirmations_needed: proof.needed }
  return change(async (tx) => {
    const claim = await claimDeposit(tx, chain, newClaim)
    if (claim.state === 'diverted' || claim.state === 'failed') throw closedClaimError(claim)
    if (claim.state === 'waiting') return { status: 'pending', Msg: waitingText(proof), ...progress, order_id: null }
    const order = await findClaimOrder(tx, claim.id)
    return { ...done(order, `Your plan of ${formatUsdt(amount)} USDT is active`), ...progress }
  })
}

/** Without a claim, the watcher credits the payment to the wallet balance, so a refused buyer loses nothing. */
async function refuseUndeclared(context: BuyContext): Promise<void> {
  const refusal = await findRefusal(context)
  if (refusal) throw new AppError(refusal.code, `${refusal.message} A payment you sent goes to your wallet balance.`)
}

type ChainProof = Proof | { state: 'unknown'; confirmations: 0; needed: 0 }
const SETTLED: Proof = { state: 'final', confirmations: 0, needed: 0 }

// If the chain node is down, store the claim anyway: the watcher proves the payment before it credits anything.
async function proveOrWait(...[chain, hash, expected]: Parameters<typeof proveDeposit>): Promise<ChainProof> {
  try {
    return await proveDeposit(chain, hash, expected)
  } catch (error) {
    if (error instanceof AppError && error.code === 'chain_unavailable')
      return { state: 'unknown', confirmations: 0, needed: 0 }
    throw error
  }
}

function waitingText({ state, confirmations, needed }: ChainProof): string {
  if (state === 'unknown')
    return 'The chain node is not responding. Your purchase is saved and will complete automatically.'
  if (confirmations === 0) return 'Waiting for the network to pick up your payment'
  return `${Math.min(confirmations, needed)} of ${needed} confirmations`
}

function checkAddresses({ user, config }: BuyContext, input: BuyInput): void {
  const { from_address, to_address, trans_hash, package_type, gross_amount } = input
  const internal = isInternal(trans_hash)
  const receivers: Address[] = internal ? [config.chain.vault, user.walletAddress] : [config.chain.vault]
  if (from_address !== user.walletAddress) throw invalid('Pay from the wallet you signed in with', 'from_address')
  if (!receivers.includes(to_address)) throw invalid('This is not our receiving address', 'to_address')
  const type = packageTypes[package_type as keyof typeof packageTypes]
  if (!internal && type)
    throw invalid("The hash of a re top up must be 'internal' followed by random characters", 'trans_hash')
  if (gross_amount !== undefined && type?.part !== 'main')
    throw invalid('A gross amount is only allowed on a re top up', 'gross_amount')
}

const invalid = (message: string, field: string) => new AppError('invalid_input', message, field)
