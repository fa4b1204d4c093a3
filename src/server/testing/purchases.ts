import { formatUsdt, parseUsdt } from '../../protocol/money.ts'
import { walletClaimant } from '../chain/deposits/book.ts'
import { watchChain } from '../chain/deposits/watch.ts'
import type { Hash } from '../chain/tables.ts'
import { betClaimant } from '../features/colour/wallet.ts'
import { planClaimant } from '../features/plans/purchases.ts'
import { walletOwners } from '../features/users/users.ts'
import { runAudit } from '../ledger/audit.ts'
import { allInvariants } from '../operators/invariants.ts'
import { systemClock } from '../platform/clock.ts'
import { aUser, createTestApi } from './api.ts'
import { startPaymentChain } from './chain.ts'
import { runAsOwner } from './database.ts'
import { balancesOf, purchaseBody } from './plans.ts'

type PurchaseScene = Awaited<ReturnType<typeof startPurchaseScene>>
export type Payer = Awaited<ReturnType<PurchaseScene['aPayer']>>

/** The balances of a user without money. */
export const NOTHING = { plan: '0', wallet: '0', bet: '0' }

/** A chain, the API on it, and users who pay for plans with transactions that the test crafts. */
export async function startPurchaseScene(settings: Record<string, string> = {}) {
  const node = await startPaymentChain()
  const api = await createTestApi({ settings: { ...node.settings, ...settings }, checksLockOrder: true })

  async function watch(): Promise<void> {
    const { db, chain, log } = api.context
    const claimants = [planClaimant(systemClock), betClaimant, walletClaimant]
    while (await watchChain({ db, chain, log, owners: walletOwners, claimants, settle: async () => undefined }));
  }

  /** Makes everything sent so far final and runs the watcher. */
  async function settle(): Promise<void> {
    await node.mine(3)
    await watch()
  }

  /** Ends the grace period in which an unclaimed payment waits for its claim. */
  async function expireGrace(): Promise<void> {
    const older = `update chain_payments set recorded_at = recorded_at - interval '1 hour'`
    const unguarded = (what: string) =>
      `alter table chain_payments disable trigger append_only; ${what}; alter table chain_payments enable trigger append_only`
    await runAsOwner(api.database.ownerUrl, unguarded(older))
    await watch()
  }

  async function aPayer(amount = '1000', options: Parameters<typeof aUser>[1] = {}) {
    const user = await aUser(api, options)
    await node.give(user.wallet.address, parseUsdt(amount))
    return { ...user, key: user.wallet.privateKey as Hash }
  }
  type TestPayer = Awaited<ReturnType<typeof aPayer>>

  /** Submits a hash as the payment for a plan. */
  const claim = (user: TestPayer, hash: string, amount = '100', changes: object = {}) => {
    const body = { ...purchaseBody(api, user, amount, 2, hash), ...changes }
    return api.send('POST', '/gamebuyplan/', body, { token: user.token })
  }

  async function held(user: TestPayer): Promise<typeof NOTHING> {
    const { plan, wallet, bet } = await balancesOf(api, user)
    return { plan: formatUsdt(plan as never), wallet: formatUsdt(wallet as never), bet: formatUsdt(bet as never) }
  }

  /** The findings of all invariants, including those of the chain. */
  async function listFindings(): Promise<string[]> {
    await expireGrace()
    const report = await runAudit(api.context.db, allInvariants(api.context.chain))
    return report.invariants.flatMap(({ findings }) => findings)
  }

  async function stop(): Promise<void> {
    await api.close()
    await node.stop()
  }

  await settle()
  return { node, api, settle, expireGrace, aPayer, claim, held, listFindings, stop }
}

const word = (value: bigint | string) =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0')
export const callData = (selector: string, to: string, amount: bigint) =>
  `0x${selector}${word(to)}${word(amount)}` as Hash
export const transferData = (to: string, amount: bigint) => callData('a9059cbb', to, amount)
