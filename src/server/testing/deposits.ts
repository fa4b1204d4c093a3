import { wallet } from '../../protocol/wallet.ts'
import { operatorClaimant, walletClaimant } from '../chain/deposits/book.ts'
import { sweepDeposits } from '../chain/deposits/sweep.ts'
import { watchChain } from '../chain/deposits/watch.ts'
import { followCalls } from '../chain/publisher-send.ts'
import type { Context } from '../context.ts'
import { walletOwners } from '../features/users/users.ts'
import { aUser, type TestApi } from './api.ts'
import type { PaymentChain } from './chain.ts'

/** A user who has asked for their deposit address. */
export async function aDepositUser(api: TestApi) {
  const user = await aUser(api)
  const { address } = await api.call(wallet.depositAddress, {}, user.token)
  return { ...user, address }
}

/** One pass of the worker's loops for deposit addresses. */
export async function sweepOnce({ db, chain, log, config }: Context): Promise<void> {
  await sweepDeposits({ db, chain, log, owners: walletOwners, minimum: config.depositMin })
  await followCalls({ db, chain, log, stuckSeconds: 3 })
  const claimants = [walletClaimant, operatorClaimant]
  while (await watchChain({ db, chain, log, owners: walletOwners, claimants, settle: async () => undefined }));
}

/** Passes and blocks, enough for the factory, a sweep and its finality. */
export async function settleDeposits({ context }: TestApi, node: PaymentChain, passes = 10): Promise<void> {
  for (let pass = 0; pass < passes; pass++) {
    await sweepOnce(context)
    await node.mine()
  }
  await sweepOnce(context)
}
