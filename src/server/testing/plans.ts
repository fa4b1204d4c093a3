import { parseUsdt, type Usdt } from '../../protocol/money.ts'
import { findTier, plans } from '../../protocol/plans.ts'
import { defaultTerms } from '../../protocol/terms-defaults.ts'
import { DAY_MS } from '../../protocol/time.ts'
import { type PoolKind, systemAccount, userAccount } from '../ledger/accounts.ts'
import { getSystemBalances, getUserBalances } from '../ledger/balances.ts'
import { post } from '../ledger/post.ts'
import { newId, transaction } from '../platform/db.ts'
import { aUser, type TestApi } from './api.ts'
import { fillAccount } from './ledger.ts'

/** Funds a pool, as if the operator had made a proven deposit on chain. */
export async function fundPool({ context }: TestApi, pool: PoolKind, amount: string): Promise<void> {
  const units = parseUsdt(amount)
  await transaction(context.db, async (tx) => {
    const [custody, operator] = [systemAccount('custody'), systemAccount('operator')]
    const deposit = [{ from: custody, to: operator, amount: units }]
    await post(tx, { kind: 'operator_deposit', reference: newId(), movements: deposit })
    const funding = [{ from: operator, to: systemAccount(pool), amount: units }]
    await post(tx, { kind: 'pool_funding', reference: newId(), movements: funding })
  })
}

/** Credits reward or referral money, as if it had been earned before. */
export async function giveRewards(api: TestApi, userNumber: number, account: 'reward' | 'referral', amount: string) {
  await fundPool(api, 'reward_pool', amount)
  const kind = account === 'reward' ? 'daily_reward' : 'upline_reward'
  const movement = {
    from: systemAccount('reward_pool'),
    to: userAccount(userNumber, account),
    amount: parseUsdt(amount),
  }
  await transaction(api.context.db, (tx) => post(tx, { kind, reference: newId(), movements: [movement] }))
}

export const giveWallet = (api: TestApi, userNumber: number, amount: string) =>
  transaction(api.context.db, (tx) => fillAccount(tx, userNumber, 'wallet', parseUsdt(amount)))

export type TestUser = Awaited<ReturnType<typeof aUser>>

let keys = 0
export const newKey = () => `internaltest${++keys}x${process.pid}`

/** The request body of an internal purchase, as the page sends it. */
export const purchaseBody = (api: TestApi, user: TestUser, amount: string, packageType: number, key = newKey()) => ({
  usdt_amount: amount,
  from_address: user.wallet_address,
  to_address: api.context.config.chain.vault,
  trans_hash: key,
  package_type: packageType,
})

export async function buyPlan(api: TestApi, user: TestUser, amount: string): Promise<void> {
  await giveWallet(api, user.number, amount)
  const tier = findTier(defaultTerms.tiers, parseUsdt(amount))
  await api.call(plans.buy, purchaseBody(api, user, amount, tier?.packageType ?? 0), user.token)
}

export async function aUserWithPlan(api: TestApi, amount: string, options: Parameters<typeof aUser>[1] = {}) {
  const user = await aUser(api, options)
  await buyPlan(api, user, amount)
  return user
}

export const balancesOf = ({ context }: TestApi, user: { number: number }): Promise<Record<string, Usdt>> =>
  getUserBalances(context.db, user.number)
export const systemBalances = ({ context }: TestApi): Promise<Record<string, Usdt>> => getSystemBalances(context.db)

/** A clock that the test sets. */
export function createTestClock(start: string) {
  let now = new Date(start)
  const addMs = (ms: number) => {
    now = new Date(now.getTime() + ms)
  }
  return {
    now: () => now,
    addMs,
    set: (time: string) => {
      now = new Date(time)
    },
    addDays: (days: number) => addMs(days * DAY_MS),
  }
}
