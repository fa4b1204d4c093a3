import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '../../../protocol/errors.ts'
import { micro, parseUsdt } from '../../../protocol/money.ts'
import { walletOwners } from '../../features/users/users.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { getSystemBalances, getUserBalances } from '../../ledger/balances.ts'
import { findHalt } from '../../ledger/halt.ts'
import { post } from '../../ledger/post.ts'
import { transaction } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../../testing/chain.ts'
import { runAsOwner } from '../../testing/database.ts'
import { newsOf } from '../../testing/news.ts'
import type { Hash } from '../tables.ts'
import { listWallets, readHoldings } from '../wallets.ts'
import { type Booker, operatorClaimant, walletClaimant } from './book.ts'
import { type Claimant, claimDeposit, type NewClaim } from './claims.ts'
import { proveDeposit } from './prove.ts'
import { watchChain } from './watch.ts'

let api: TestApi
let node: PaymentChain
let watcher: Booker
const u = parseUsdt

/** A product that credits its claims, unless their details say that it is full. */
const planClaimant: Claimant = {
  product: 'plan',
  async credit(tx, payment, claim) {
    const { userNumber, details } = claim
    const key = { kind: 'plan_purchase', reference: payment.id } as const
    const to = userAccount(userNumber ?? 0, 'plan')
    await post(tx, { ...key, movements: [{ from: systemAccount('custody'), to, amount: payment.amount }] })
    if ((details as { full?: boolean }).full) throw new AppError('not_eligible', 'Maximum investment reached')
    return key
  },
}

beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
  const { db, chain, log } = api.context
  const claimants = [planClaimant, walletClaimant, operatorClaimant]
  watcher = { db, chain, log, owners: walletOwners, claimants, settle: async () => undefined }
  await settleChain()
})
afterAll(async () => {
  await api.close()
  await node.stop()
})

/** Makes everything sent so far final and runs the watcher. */
async function settleChain(): Promise<void> {
  await node.mine(3)
  while (await watchChain(watcher));
}

/** Ends the grace period in which an unclaimed payment waits for its claim. */
async function expireGrace(): Promise<void> {
  await runAsOwner(
    api.database.ownerUrl,
    `alter table chain_payments disable trigger append_only;
    update chain_payments set recorded_at = recorded_at - interval '1 hour';
    alter table chain_payments enable trigger append_only`,
  )
  await watchChain(watcher)
}

async function aPayer(amount = '100') {
  const user = await aUser(api)
  await node.give(user.wallet.address, u(amount))
  return { ...user, walletAddress: user.wallet.address, key: user.wallet.privateKey as Hash }
}
const claim = (values: NewClaim) => transaction(api.context.db, (tx) => claimDeposit(tx, api.context.chain, values))
const prove = (hash: Hash, from: `0x${string}`, amount: string) =>
  proveDeposit(api.context.chain, hash, { from, amount: u(amount) })
const balancesOf = (user: { number: number }) => getUserBalances(api.context.db, user.number)

test('a payment is pending until it is final, and then its claim is credited once', async () => {
  const payer = await aPayer()
  const hash = await node.pay(payer.key, u('25'))
  expect(await prove(hash, payer.wallet.address, '25')).toMatchObject({ state: 'pending', confirmations: 0 })
  await claim({ payer, product: 'plan', txHash: hash, amount: u('25') })
  await node.mine(1)
  expect(await prove(hash, payer.wallet.address, '25')).toEqual({ state: 'pending', confirmations: 1, needed: 3 })
  await watchChain(watcher)
  expect((await balancesOf(payer)).plan).toBe(0n)
  await settleChain()
  expect(await prove(hash, payer.wallet.address, '25')).toMatchObject({ state: 'final' })
  await settleChain()
  expect(await balancesOf(payer)).toMatchObject({ plan: u('25'), wallet: 0n })
  const again = await claim({ payer, product: 'plan', txHash: hash, amount: u('25') })
  expect(again.state).toBe('credited')
  expect(await newsOf(api.context.db, payer)).toEqual(['deposit_credited'])
})

test('a claim of a good payment that waits for minutes stays open, and is credited', async () => {
  const payer = await aPayer()
  const txHash = await node.pay(payer.key, u('20'))
  await claim({ payer, product: 'plan', txHash, amount: u('20') })
  await runAsOwner(
    api.database.ownerUrl,
    `set session_replication_role = replica;
     update chain_claims set claimed_at = claimed_at - interval '5 minutes' where state = 'waiting'`,
  )
  await node.mine(1)
  await watchChain(watcher)
  await settleChain()
  expect((await balancesOf(payer)).plan).toBe(u('20'))
})

test('a hash pays for one product only, even when two claim it at the same moment', async () => {
  const payer = await aPayer()
  const txHash = await node.pay(payer.key, u('12'))
  const ask = (product: 'plan' | 'bet') => claim({ payer, product, txHash, amount: u('12') })
  const answers = await Promise.allSettled([ask('plan'), ask('bet'), ask('plan'), ask('bet')])
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(2)
})

test("an unclaimed payment goes to the sender's wallet balance after a while, and a late claim is refused", async () => {
  const payer = await aPayer()
  const txHash = await node.pay(payer.key, u('7.5'))
  await settleChain()
  expect((await balancesOf(payer)).wallet).toBe(0n)
  await expireGrace()
  expect((await balancesOf(payer)).wallet).toBe(u('7.5'))
  const late = claim({ payer, product: 'plan', txHash, amount: u('7.5') })
  await expect(late).rejects.toThrow('This payment is already in your wallet balance: pay from there')
})

test('a payment of a different amount than claimed goes to the wallet balance, and the claim says why', async () => {
  const payer = await aPayer()
  const txHash = await node.pay(payer.key, u('30'))
  const values = { payer, product: 'plan', txHash, amount: u('31') } as const
  await claim(values)
  await settleChain()
  expect(await balancesOf(payer)).toMatchObject({ plan: 0n, wallet: u('30') })
  expect(await claim(values)).toMatchObject({
    state: 'diverted',
    note: '30 USDT arrived, a different amount. It is in your wallet balance.',
  })
})

test('a payment that the product can no longer accept goes to the wallet balance', async () => {
  const payer = await aPayer()
  const txHash = await node.pay(payer.key, u('40'))
  await claim({ payer, product: 'plan', txHash, amount: u('40'), details: { full: true } })
  await settleChain()
  expect(await balancesOf(payer)).toMatchObject({ plan: 0n, wallet: u('40') })
})

test("a claim on another user's payment gets nothing and does not block the sender", async () => {
  const [payer, thief] = [await aPayer(), await aPayer()]
  const txHash = await node.pay(payer.key, u('50'))
  await claim({ payer: thief, product: 'plan', txHash, amount: u('50') })
  await claim({ payer, product: 'plan', txHash, amount: u('50') })
  await settleChain()
  expect((await balancesOf(payer)).plan).toBe(u('50'))
  expect((await balancesOf(thief)).plan).toBe(0n)
})

test('each kind of wrong transaction is refused with its own reason', async () => {
  const [payer, other] = [await aPayer(), await aPayer()]
  await node.give(payer.wallet.address, u('100'), node.otherToken)
  const wei = 10n ** 18n
  const wrongToken = await node.sendToken(payer.key, node.vault, 5n * wei, { token: node.otherToken })
  const wrongReceiver = await node.sendToken(payer.key, other.wallet.address, 5n * wei)
  const foreign = await node.pay(other.key, u('5'))
  const otherAmount = await node.pay(payer.key, u('4.999999'))
  const failed = await node.sendToken(payer.key, node.vault, 5_000n * wei)
  const tooFine = await node.sendToken(payer.key, node.vault, 5n * wei + 1n)
  await node.mine(3)
  const reasons: [Hash, string][] = [
    [wrongToken, 'The transaction does not move USDT on this network'],
    [wrongReceiver, 'The transaction does not pay our address'],
    [foreign, 'The transaction was not paid from your wallet'],
    [otherAmount, 'The transaction pays 4.999999 USDT, not 5'],
    [failed, 'The transaction failed on chain: no money was moved'],
    [tooFine, 'The transaction pays 5.000000000000000001 USDT, not 5'],
  ]
  for (const [hash, reason] of reasons) await expect(prove(hash, payer.wallet.address, '5')).rejects.toThrow(reason)
  const unknown = await prove(`0x${'ab'.repeat(32)}`, payer.wallet.address, '5')
  expect(unknown).toMatchObject({ state: 'pending', confirmations: 0 })
})

test('an amount below one micro-USDT is recorded in wei, and dust alone is booked without a posting', async () => {
  const payer = await aPayer()
  await node.sendToken(payer.key, node.vault, 3_000_000_000_000_000_007n)
  await node.sendToken(payer.key, node.vault, 999n)
  await settleChain()
  await expireGrace()
  expect((await balancesOf(payer)).wallet).toBe(u('3'))
  const { rows } = await sql<{ remainder_wei: string; kind: string | null }>`
    select b.remainder_wei, b.kind from chain_bookings b join chain_payments t on t.id = b.payment_id
    where t.from_address = ${payer.wallet.address} order by b.remainder_wei`.execute(api.context.db)
  expect(rows).toEqual([
    { remainder_wei: '7', kind: 'chain_deposit' },
    { remainder_wei: '999', kind: null },
  ])
})

test('a payment from an unregistered wallet waits outside the ledger until the operator claims it', async () => {
  const txHash = await node.pay(node.richKey, u('1000'))
  await settleChain()
  const before = (await getSystemBalances(api.context.db)).operator
  await claim({ payer: null, product: 'operator', txHash, amount: u('1000') })
  await settleChain()
  expect((await getSystemBalances(api.context.db)).operator).toBe(before + u('1000'))
})

test('USDT on chain equals custody plus unbooked payments and remainders, to the wei', async () => {
  const { db, chain } = api.context
  const { rows } = await sql<{ expected: string; block_hash: Hash }>`
    select -a.balance * 1000000000000::numeric
      + coalesce((select sum(remainder_wei) from chain_bookings), 0)
      + coalesce((select sum(value_wei) from chain_unbooked w join chain_payments t on t.id = w.payment_id), 0)
      as expected, c.block_hash
    from ledger_accounts a, chain_cursor c where a.id = ${systemAccount('custody')}`.execute(db)
  expect(await readHoldings(chain, await listWallets(db, chain), rows[0]?.block_hash ?? '0x')).toBe(
    BigInt(rows[0]?.expected ?? 0),
  )
  expect(micro(BigInt(rows[0]?.expected ?? 0))).toBeGreaterThan(0n)
})

test('a payment dropped by a reorg before it was final credits nothing', async () => {
  const payer = await aPayer()
  const txHash = await node.pay(payer.key, u('9'))
  await claim({ payer, product: 'plan', txHash, amount: u('9') })
  await node.mine(1)
  await node.reorg(1)
  await settleChain()
  expect(await balancesOf(payer)).toMatchObject({ plan: 0n, wallet: 0n })
  expect(await findHalt(api.context.db)).toBeUndefined()
})

test('a reorg below the final block halts payouts and bets', async () => {
  await settleChain()
  await node.reorg(6)
  await node.mine(3)
  await watchChain(watcher)
  expect(await findHalt(api.context.db)).toBeUndefined()
  await node.mine()
  await watchChain(watcher)
  expect((await findHalt(api.context.db))?.reason).toMatch(
    /^The chain node reports another block \d+ than the one we recorded as final$/,
  )
})
