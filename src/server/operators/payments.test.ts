import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '../../protocol/ids.ts'
import { add, parseUsdt, WEI_PER_MICRO } from '../../protocol/money.ts'
import { wallet } from '../../protocol/wallet.ts'
import { depositAddressOf } from '../../verifier/deposit-address.ts'
import { DEPOSIT_FACTORY } from '../../verifier/deposit-code.ts'
import type { Hash } from '../chain/tables.ts'
import { runAudit } from '../ledger/audit.ts'
import { getSystemBalances, getUserBalances } from '../ledger/balances.ts'
import { aUser, createTestApi, type TestApi } from '../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../testing/chain.ts'
import { runAsOwner } from '../testing/database.ts'
import { aDepositUser, settleDeposits } from '../testing/deposits.ts'
import { runTestOps, testOperators, waitingId } from '../testing/ops.ts'
import type { TestUser } from '../testing/payments.ts'
import { changeWallet } from '../testing/wallet-changes.ts'
import { newAct, performAct } from './acts.ts'
import { allInvariants } from './invariants.ts'
import { claim as claimCommand } from './payment-commands.ts'

let api: TestApi
let node: PaymentChain
let user: TestUser
let thief: TestUser

beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
  await settleDeposits(api, node, 1)
  user = await aUser(api)
  thief = await aUser(api)
})
afterAll(async () => {
  await api.close()
  await node.stop()
})

const balanceOf = async ({ number }: TestUser) => (await getUserBalances(api.context.db, number)).wallet
const propose = (hash: string, name: string) =>
  runTestOps(api, ['deposits', 'credit', hash, name, '--as', 'anna', '--why', 'the user sent the receipt'])
async function credit(hash: string, name: string) {
  const asked = await propose(hash, name)
  const id = waitingId(asked.text)
  return id === '' ? asked : runTestOps(api, ['approve', id, '--as', 'ben'])
}
/** A stranger pays the vault directly: no user is known for it. */
async function payVault(amount: string) {
  const hash = await node.sendToken(node.richKey, node.vault, parseUsdt(amount) * WEI_PER_MICRO)
  await settleDeposits(api, node, 4)
  return hash
}

test('two operators credit a payment from an unknown wallet to a user, once and in full', async () => {
  const hash = await payVault('70.25')
  expect((await runTestOps(api, ['payment', hash])).text).toContain('70.25 USDT to us: not booked')
  const asked = await propose(hash, user.username)
  await settleDeposits(api, node, 2)
  expect(await balanceOf(user)).toBe(0n)
  expect((await runTestOps(api, ['approve', waitingId(asked.text), '--as', 'anna'])).code).toBe(1)
  expect((await runTestOps(api, ['approve', waitingId(asked.text), '--as', 'ben'])).code).toBe(0)
  // Before the worker books it, the same payment is proposed for another user.
  expect((await credit(hash, thief.username)).code).toBe(1)
  await settleDeposits(api, node, 2)
  expect([await balanceOf(user), await balanceOf(thief)]).toEqual([parseUsdt('70.25'), 0n])
  expect(await credit(hash, thief.username)).toMatchObject({ code: 1, text: expect.stringContaining('booked already') })
  expect((await runTestOps(api, ['payment', hash])).text).toContain('booked as chain_deposit')
  const { data: deposits } = await api.call(wallet.deposits, {}, user.token)
  expect(deposits).toMatchObject([{ trans_hash: hash, amount: parseUsdt('70.25'), state: 'credited' }])
  expect((await api.call(wallet.deposits, {}, thief.token)).data).toEqual([])
  await expectAudited()
})

test('a payment that has an owner is not credited to another user', async () => {
  await node.give(user.wallet.address, parseUsdt('5'))
  const own = await node.pay(user.wallet.privateKey, parseUsdt('5'))
  await settleDeposits(api, node, 4)
  const refused = await credit(own, thief.username)
  expect(refused).toMatchObject({ code: 1, text: expect.stringMatching(/booked already|wallet of/) })
  expect(await balanceOf(thief)).toBe(0n)
})

/** A payment without a claim of its sender is booked after some seconds. */
const OLDER = `set session_replication_role = replica;
  update chain_payments set recorded_at = recorded_at - interval '2 minutes'`
const claim = (hash: string, amount: string) =>
  runTestOps(api, ['deposits', 'claim', hash, amount, '--as', 'anna', '--why', 'it looks like ours'])
const operatorBalance = async () => (await getSystemBalances(api.context.db)).operator
const exchangePays = async (address: Address, amount: string) => {
  const hash = await node.sendToken(node.richKey, address, parseUsdt(amount) * WEI_PER_MICRO)
  await node.mine()
  return hash
}
/** The transaction that moved a user's deposit to the vault. */
async function sweepOf(address: Address): Promise<Hash> {
  const { tx_hash } = await api.context.db
    .selectFrom('chain_payments')
    .select('tx_hash')
    .where('from_address', '=', address)
    .executeTakeFirstOrThrow()
  return tx_hash
}
async function expectAudited(): Promise<void> {
  const { invariants } = await runAudit(api.context.db, allInvariants(api.context.chain))
  expect(invariants.filter(({ outcome }) => outcome !== 'held')).toEqual([])
}

test('a payment of a user that operators claim before it is recorded goes to that user, once', async () => {
  const owner = await aDepositUser(api)
  const before = await operatorBalance()
  await node.give(owner.wallet.address, parseUsdt('6'))
  const own = await node.pay(owner.wallet.privateKey, parseUsdt('6'))
  const sent = await exchangePays(owner.address, '7')
  // As `npm start` does it: signed without the check that the command makes first.
  const claims = [
    { hash: own, amount: '6' },
    { hash: sent, amount: '7' },
  ]
  for (const details of claims)
    await performAct(api.context, claimCommand, newAct('deposits claim', 'a test', details), [testOperators.anna])
  await settleDeposits(api, node)
  await runAsOwner(api.database.ownerUrl, OLDER)
  await settleDeposits(api, node, 2)
  expect([await balanceOf(owner), await operatorBalance()]).toEqual([parseUsdt('13'), before])
  await expectAudited()
})

test('the operator cannot claim what was paid to a user’s deposit address, before and after it is credited', async () => {
  const owner = await aDepositUser(api)
  const before = await operatorBalance()
  const sent = await exchangePays(owner.address, '31')
  const why = `It went to the deposit address of ${owner.username}, and goes to that user without an operator`
  expect(await claim(sent, '31')).toMatchObject({ code: 1, text: expect.stringContaining(why) })
  await settleDeposits(api, node)
  const sweep = await sweepOf(owner.address)
  expect(await claim(sweep, '31')).toMatchObject({ code: 1, text: expect.stringContaining('booked already') })
  expect(await claim(sent, '31')).toMatchObject({ code: 1, text: expect.stringContaining(why) })
  await settleDeposits(api, node, 2)
  expect([await balanceOf(owner), await operatorBalance()]).toEqual([parseUsdt('31'), before])
})

test('the operator cannot claim what a user’s wallet paid, mined or final', async () => {
  await node.give(user.wallet.address, parseUsdt('8'))
  const own = await node.pay(user.wallet.privateKey, parseUsdt('8'))
  await node.mine()
  const why = `It comes from the wallet of ${user.username}, and goes to that user without an operator`
  expect(await claim(own, '8')).toMatchObject({ code: 1, text: expect.stringContaining(why) })
  await settleDeposits(api, node, 4)
  expect(await claim(own, '8')).toMatchObject({ code: 1, text: expect.stringMatching(/wallet of|booked already/) })
})

test('a stranger’s payment is claimed once: by one operator, or by two for a user, but not by both', async () => {
  const before = await operatorBalance()
  const [claimed, credited] = [await payVault('21'), await payVault('22')]
  const asked = await propose(credited, user.username)
  const taken = await balanceOf(user)
  expect((await claim(claimed, '21')).code).toBe(0)
  const again = { code: 1, text: expect.stringContaining('claimed already') }
  expect(await claim(claimed, '21')).toMatchObject(again)
  expect(await credit(claimed, user.username)).toMatchObject(again)
  expect((await runTestOps(api, ['approve', waitingId(asked.text), '--as', 'ben'])).code).toBe(0)
  expect(await claim(credited, '22')).toMatchObject(again)
  await settleDeposits(api, node, 2)
  expect(await operatorBalance()).toBe(add(before, parseUsdt('21')))
  expect(await balanceOf(user)).toBe(add(taken, parseUsdt('22')))
  expect(await claim(claimed, '21')).toMatchObject({ code: 1, text: expect.stringContaining('booked already') })
  await expectAudited()
})

test('the call that returns another token names the factory, the deposit address and the wallet of the user, and enough gas', async () => {
  const { text } = await runTestOps(api, ['deposits', 'return', user.username, node.otherToken])
  for (const part of [DEPOSIT_FACTORY, depositAddressOf(node.vault, user.wallet.address), user.wallet.address])
    expect(text).toContain(part)
  expect(text).toContain(node.otherToken.slice(2))
  expect(text).toMatch(/gas limit +750000/)
})

test('operators find a user by a former wallet, and return tokens from the deposit address of each wallet', async () => {
  const user = await aUser(api)
  const changed = await changeWallet(api, user)
  const [former, current] = [user.wallet.address, changed.wallet.address]
  const shown = await runTestOps(api, ['users', 'show', former])
  expect(shown.text).toMatch(new RegExp(`${user.username}[^]*wallet +${current}[^]*former wallet +${former}`))
  const { text } = await runTestOps(api, ['deposits', 'return', former, node.otherToken])
  for (const wallet of [former, current]) expect(text).toContain(depositAddressOf(node.vault, wallet))
})

test('the operator’s login alone cannot name a user for a payment', async () => {
  const hash = await payVault('9')
  const forged = sql`
    insert into chain_claims (id, chain_id, tx_hash, user_number, product, amount, details)
    values (new_id(), 31337, ${hash}, null, 'operator', 9000000, ${JSON.stringify({ user: String(thief.number) })})`
  await expect(forged.execute(api.context.db)).rejects.toThrow('no operators signed')
  await settleDeposits(api, node, 2)
  expect(await balanceOf(thief)).toBe(0n)
})
