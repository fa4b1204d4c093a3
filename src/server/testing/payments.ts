import { randomBytes } from 'node:crypto'
import type { MoneySource } from '../../protocol/balance.ts'
import { formatUsdt, parseUsdt } from '../../protocol/money.ts'
import { defaultTerms } from '../../protocol/terms-defaults.ts'
import { transfers, transferTypedData } from '../../protocol/transfers.ts'
import { withdrawalParts, withdrawals, withdrawalTypedData } from '../../protocol/withdrawals.ts'
import type { Chain } from '../chain/client.ts'
import { operatorClaimant, walletClaimant } from '../chain/deposits/book.ts'
import { watchChain } from '../chain/deposits/watch.ts'
import { walletOwners } from '../features/users/users.ts'
import { signatureInvariants, withdrawalInvariants } from '../features/withdrawals/invariants.ts'
import { payWithdrawals } from '../features/withdrawals/payouts.ts'
import { settleWithdrawal } from '../features/withdrawals/settle.ts'
import { auditAndHalt, createAuditor, type Invariant } from '../ledger/audit.ts'
import { ledgerInvariants } from '../ledger/invariants.ts'
import type { Db } from '../platform/db.ts'
import { aUser, type TestApi } from './api.ts'
import type { PaymentChain } from './chain.ts'

export type TestUser = Awaited<ReturnType<typeof aUser>>
export type OrderChanges = {
  source?: MoneySource
  chainId?: number
  minutes?: number
  signedAmount?: string
  feePercent?: bigint
  signer?: TestUser
}

/** The request body of a withdrawal, signed by the user's wallet as in the web app. */
export async function signedWithdrawal(user: TestUser, amount: string, changes: OrderChanges = {}) {
  const { source = 'wallet', chainId = 31337, minutes = 10, signedAmount = amount, signer = user } = changes
  const { feePercent = defaultTerms.withdrawalFeePercent } = changes
  const { fee } = withdrawalParts(parseUsdt(amount), feePercent)
  const nonce = randomBytes(16).toString('hex')
  const deadline = new Date(Math.floor(Date.now() / 1000 + minutes * 60) * 1000)
  const order = { amount: parseUsdt(signedAmount), fee, source, address: user.wallet.address, nonce, deadline, chainId }
  const signature = await signer.wallet.account.signTypedData(withdrawalTypedData(order))
  return { amount, fee: formatUsdt(fee), source, nonce, deadline: deadline.getTime() / 1000, signature }
}

export const withdraw = async (api: TestApi, user: TestUser, amount: string, changes?: OrderChanges) =>
  api.call(withdrawals.request, await signedWithdrawal(user, amount, changes), user.token)

export type TransferBody = { to_user: string; amount: string; source: MoneySource; note?: string }

/** The wallet's signature over a transfer, as fields of its request body. */
export async function signTransfer(
  { wallet }: Pick<TestUser, 'wallet'>,
  { to_user: to, amount, source }: TransferBody,
  { minutes = 10, chainId = 31337 }: { minutes?: number; chainId?: number } = {},
) {
  const nonce = randomBytes(16).toString('hex')
  const deadline = Math.floor(Date.now() / 1000 + minutes * 60)
  const signed = { nonce, deadline: new Date(deadline * 1000), chainId }
  const signature = await wallet.account.signTypedData(
    transferTypedData({ amount: parseUsdt(amount), source, to, ...signed }),
  )
  return { nonce, deadline, signature }
}

/** Sends a signed transfer. */
export async function transfer(
  api: TestApi,
  from: Pick<TestUser, 'wallet' | 'token'>,
  to: Pick<TestUser, 'username'>,
  amount: string,
  source: MoneySource = 'wallet',
) {
  const body = { to_user: to.username, amount, source }
  return api.call(transfers.send, { ...body, ...(await signTransfer(from, body)) }, from.token)
}

/**
 * Audits before each payout, as the worker does. Without the chain's invariants: most tests credit accounts that no
 * payment on chain backs.
 */
export function payoutAuditor(
  db: Db,
  chain: Chain,
  invariants: Invariant[] = [...ledgerInvariants, ...withdrawalInvariants, ...signatureInvariants(chain)],
) {
  return { passesAudit: createAuditor(() => auditAndHalt(db, invariants), 0).passes }
}

/** One pass of the worker's chain loops: sends payouts, mines blocks and runs the watcher. */
export async function workOnce(
  { context }: Pick<TestApi, 'context'>,
  node: PaymentChain,
  {
    blocks = 1,
    stuckSeconds = 60,
    invariants,
  }: { blocks?: number; stuckSeconds?: number; invariants?: Invariant[] } = {},
): Promise<void> {
  const { db, chain, log } = context
  await payWithdrawals({ db, chain, log, stuckSeconds, ...payoutAuditor(db, chain, invariants) })
  if (blocks > 0) await node.mine(blocks)
  const claimants = [walletClaimant, operatorClaimant]
  while (await watchChain({ db, chain, log, owners: walletOwners, claimants, settle: settleWithdrawal }));
}

/** A user whose wallet balance came from a real, final deposit. */
export async function aDepositor(api: TestApi, node: PaymentChain, amount: string): Promise<TestUser> {
  const user = await aUser(api)
  await node.give(user.wallet.address, parseUsdt(amount))
  const trans_hash = await node.pay(user.wallet.privateKey, parseUsdt(amount))
  const announced = await api.send('POST', '/wallet_deposit/', { trans_hash, amount }, { token: user.token })
  if (announced.status !== 200) throw new Error(announced.body.Msg)
  for (let pass = 0; pass < 4; pass++) await workOnce(api, node)
  return user
}
