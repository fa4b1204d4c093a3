import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt, WEI_PER_MICRO } from '../../../protocol/money.ts'
import { plans } from '../../../protocol/plans.ts'
import { referrals } from '../../../protocol/referrals.ts'
import { wallet as walletRoutes } from '../../../protocol/wallet.ts'
import { runAudit } from '../../ledger/audit.ts'
import { invariants } from '../../operators/invariants.ts'
import { aUser, createTestApi, createTestWallet, type TestApi } from '../../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../../testing/chain.ts'
import { workOnce } from '../../testing/payments.ts'
import {
  aUserWithPlan,
  balancesOf,
  fundPool,
  purchaseBody,
  systemBalances,
  type TestUser,
} from '../../testing/plans.ts'
import { flagReferrals } from './holds.ts'

let api: TestApi
let node: PaymentChain
const u = parseUsdt

beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: { ...node.settings, FAUCET_KEY: node.richKey }, checksLockOrder: true })
  await fundPool(api, 'reward_pool', '1000')
  await workOnce(api, node)
})
afterAll(async () => {
  await api.close()
  await node.stop()
})

/** A chain of accounts, each invited by the one before. One wallet pays all of them on chain, and each deposits. */
async function aChainOfAccounts(count: number, options: { isUnbound?: boolean } = {}): Promise<TestUser[]> {
  const funder = createTestWallet()
  await node.give(funder.address, u('1000'))
  const accounts: TestUser[] = []
  for (let place = 0; place < count; place++) {
    const sponsor = accounts.at(-1)
    accounts.push(await aUser(api, { ...options, ...(sponsor && { referralCode: sponsor.referralCode }) }))
  }
  for (const { wallet } of accounts) await node.sendToken(funder.privateKey, wallet.address, u('100') * WEI_PER_MICRO)
  await node.mine()
  for (const { wallet, token } of accounts) {
    const trans_hash = await node.pay(wallet.privateKey, u('100'))
    await api.call(walletRoutes.deposit, { trans_hash, amount: '100' }, token)
  }
  await workOnce(api, node, { blocks: 4 })
  return accounts
}

/** Each account buys a plan from its deposit, from the top, so that everyone above has an active plan. */
async function buyAll(accounts: TestUser[]): Promise<void> {
  for (const user of accounts) {
    await api.call(plans.buy, purchaseBody(api, user, '100', 2), user.token)
    await api.call(plans.upline, { purchase_amount: '100' }, user.token)
  }
}

const earningsOf = async (accounts: TestUser[]) => {
  const all = await Promise.all(accounts.map((user) => balancesOf(api, user)))
  const sum = (name: string) => all.reduce((total, balances) => total + (balances[name] ?? 0n), 0n)
  return { referral: sum('referral'), hold: sum('hold') }
}

test('six unbound accounts with one funder earn no referral rewards, and the pool keeps them', async () => {
  const { reward_pool: before } = await systemBalances(api)
  const accounts = await aChainOfAccounts(6, { isUnbound: true })
  await buyAll(accounts)
  expect(await earningsOf(accounts)).toEqual({ referral: 0n, hold: 0n })
  expect((await systemBalances(api))['reward_pool']).toBe(before)
})

test('the flag-and-hold job holds every reward between accounts that one wallet funded, and only those', async () => {
  const honest = await aUserWithPlan(api, '100')
  const friend = await aUserWithPlan(api, '100', { referralCode: honest.referralCode })
  await api.call(plans.upline, { purchase_amount: '100' }, friend.token)
  const accounts = await aChainOfAccounts(6)
  await buyAll(accounts)
  const paid = await earningsOf(accounts)
  // One level between 5 pairs of accounts, two levels between 4 … : 5·5 + 4·3 + 3·2 + 2·1 + 1·1 percent of 100 USDT.
  expect(paid).toEqual({ referral: u('46'), hold: 0n })

  await flagReferrals(api.context)
  expect(await earningsOf(accounts)).toEqual({ referral: 0n, hold: u('46') })
  expect(await balancesOf(api, honest)).toMatchObject({ referral: u('5'), hold: 0n })
  const { data } = await api.call(referrals.holds, {}, (accounts[0] as TestUser).token)
  expect(data.map(({ reasons }) => reasons)).toEqual(Array.from({ length: 5 }, () => ['funding']))

  await flagReferrals(api.context)
  expect(await earningsOf(accounts)).toEqual({ referral: 0n, hold: u('46') })
  const { invariants: checked } = await runAudit(api.context.db, invariants)
  expect(checked.flatMap(({ findings }) => findings)).toEqual([])
})

test('once accounts are flagged, their next rewards are held as soon as they are paid', async () => {
  const accounts = await aChainOfAccounts(2)
  await flagReferrals(api.context)
  await buyAll(accounts)
  expect(await earningsOf(accounts)).toEqual({ referral: 0n, hold: u('5') })
})
