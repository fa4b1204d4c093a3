import { randomBytes } from 'node:crypto'
import type { MoneySource } from '../../protocol/balance.ts'
import { parseUsdt } from '../../protocol/money.ts'
import { withdrawals, withdrawalTypedData } from '../../protocol/withdrawals.ts'
import { operatorClaimant, walletClaimant } from '../chain/deposits/book.ts'
import { watchChain } from '../chain/deposits/watch.ts'
import { walletOwners } from '../features/users/users.ts'
import { payWithdrawals } from '../features/withdrawals/payouts.ts'
import { settleWithdrawal } from '../features/withdrawals/withdrawals.ts'
import { aUser, type TestApi } from './api.ts'
import type { PaymentChain } from './chain.ts'

export type TestUser = Awaited<ReturnType<typeof aUser>>
export type OrderChanges = {
  source?: MoneySource
  chainId?: number
  minutes?: number
  signedAmount?: string
  signer?: TestUser
}

/** The request body of a withdrawal, signed by the user's wallet as in the web app. */
export async function signedWithdrawal(user: TestUser, amount: string, changes: OrderChanges = {}) {
  const { source = 'wallet', chainId = 31337, minutes = 10, signedAmount = amount, signer = user } = changes
  const nonce = randomBytes(16).toString('hex')
  const deadline = new Date(Math.floor(Date.now() / 1000 + minutes * 60) * 1000)
  const order = { amount: parseUsdt(signedAmount), source, address: user.wallet.address, nonce, deadline, chainId }
  const signature = await signer.wallet.account.signTypedData(withdrawalTypedData(order))
  return { amount, source, nonce, deadline: deadline.getTime() / 1000, signature }
}

export const withdraw = async (api: TestApi, user: TestUser, amount: string, changes?: OrderChanges) =>
  api.call(withdrawals.request, await signedWithdrawal(user, amount, changes), user.token)

/** One pass of the worker's chain loops: sends payouts, mines blocks and runs the watcher. */
export async function workOnce(
  { context }: TestApi,
  node: PaymentChain,
  { blocks = 1, stuckSeconds = 60 }: { blocks?: number; stuckSeconds?: number } = {},
): Promise<void> {
  const { db, chain, log } = context
  await payWithdrawals({ db, chain, log, stuckSeconds })
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
