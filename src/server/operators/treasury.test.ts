import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '../../protocol/ids.ts'
import { parseUsdt, WEI_PER_MICRO } from '../../protocol/money.ts'
import { withdrawals } from '../../protocol/withdrawals.ts'
import { listOpenPayouts } from '../chain/payouts/payouts.ts'
import { auditAndHalt } from '../ledger/audit.ts'
import { getSystemBalances } from '../ledger/balances.ts'
import { aUser, createTestApi, createTestWallet, type TestApi } from '../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../testing/chain.ts'
import { runAsOwner } from '../testing/database.ts'
import { runTestOps, waitingId } from '../testing/ops.ts'
import { aDepositor, type TestUser, withdraw, workOnce } from '../testing/payments.ts'
import { allInvariants } from './invariants.ts'

const usdt = (amount: string) => parseUsdt(amount) * WEI_PER_MICRO

let api: TestApi
let node: PaymentChain
let user: TestUser

beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
  await work()
  user = await aUser(api)
  await node.give(user.wallet.address, parseUsdt('500'))
  const trans_hash = await node.sendToken(user.wallet.privateKey, node.vault, usdt('500'))
  await api.send('POST', '/wallet_deposit/', { trans_hash, amount: '500' }, { token: user.token })
  const funding = await node.sendToken(node.richKey, node.hot, usdt('300'))
  await work(4)
  await ops('deposits', 'claim', funding, '300')
  await expectPaid('20')
})
afterAll(async () => {
  await api.close()
  await node.stop()
})

async function work(passes = 1, own: Pick<TestApi, 'context'> = api): Promise<void> {
  for (let pass = 0; pass < passes; pass++) await workOnce(own, node)
}

/** Unknown payments are reported after a minute. */
async function audit({ context }: Pick<TestApi, 'context'> = api) {
  const older = `update chain_payments set recorded_at = recorded_at - interval '2 minutes'`
  await runAsOwner(api.database.ownerUrl, `set session_replication_role = replica; ${older}`)
  const { invariants } = await auditAndHalt(context.db, allInvariants(context.chain))
  return invariants.filter(({ outcome }) => outcome !== 'held').map(({ number }) => number)
}

const ANNA = ['--as', 'anna', '--why', 'explained in the records']
const ops = (...words: string[]) => runTestOps(api, [...words, ...ANNA])

/** Anna proposes it, Ben signs it, too. */
async function adopt(own: TestApi, hash: string, withdrawal?: string) {
  const asked = await runTestOps(own, ['adopt', hash, ...(withdrawal ? [withdrawal] : []), ...ANNA])
  const id = waitingId(asked.text)
  return id === '' ? asked : runTestOps(own, ['approve', id, '--as', 'ben'])
}

async function expectPaid(amount: string, own: TestApi = api): Promise<void> {
  await withdraw(own, user, amount)
  await work(6, own)
  expect((await newest())?.state).toBe('paid')
}
const newest = async () => (await api.call(withdrawals.history, { page_no: 1 }, user.token)).data[0]
const halts = () => api.context.db.selectFrom('halts').selectAll().execute()

test('money that an operator sent by hand halts payouts until two operators have booked it as theirs', async () => {
  const before = (await getSystemBalances(api.context.db)).operator
  const hash = await node.sendToken(node.hotKey, node.rich, usdt('5') + 7n)
  await work(4)
  await withdraw(api, user, '10')
  await work(4)
  expect(await audit()).toEqual([9, 10])
  expect((await halts()).map(({ source }) => source).toSorted()).toEqual(['audit', 'payout-wallet'])
  expect((await newest())?.state).toBe('requested')
  expect((await runTestOps(api, ['treasury'])).text).toContain(hash)

  expect(await adopt(api, hash)).toMatchObject({ code: 0, text: expect.stringContaining('5 USDT') })
  expect((await getSystemBalances(api.context.db)).operator).toBe(before - parseUsdt('5'))
  await work(3)
  expect(await audit()).toEqual([])
  await work(6)
  expect(await halts()).toEqual([])
  expect((await newest())?.state).toBe('paid')
  expect((await runTestOps(api, ['treasury'])).text).toContain('The books know every payment')
})

test('one operator alone adopts nothing, and nothing is adopted twice', async () => {
  const hash = await node.sendToken(node.hotKey, node.rich, usdt('1'))
  await work(4)
  const asked = await ops('adopt', hash)
  const alone = await runTestOps(api, ['approve', waitingId(asked.text), '--as', 'anna'])
  expect(alone).toMatchObject({ code: 1, text: expect.stringContaining('another operator') })
  expect(await audit()).toContain(9)
  expect((await adopt(api, hash)).code).toBe(0)
  expect(await adopt(api, hash)).toMatchObject({
    code: 1,
    text: expect.stringContaining('know this transaction already'),
  })
  await work(3)
  expect(await audit()).toEqual([])
})

test('more than the operator owns cannot be booked as the operator’s: the users’ money stays missing', async () => {
  const { operator } = await getSystemBalances(api.context.db)
  await node.give(node.hot, parseUsdt('1000'))
  const hash = await node.sendToken(node.hotKey, node.rich, (operator + 1n) * WEI_PER_MICRO)
  await work(4)
  expect(await adopt(api, hash)).toMatchObject({ code: 1 })
  expect(await audit()).toContain(9)
  const funding = await node.sendToken(node.richKey, node.hot, usdt('400'))
  await work(4)
  await ops('deposits', 'claim', funding, '400')
  await work(2)
  expect((await adopt(api, hash)).code).toBe(0)
  await work(3)
  expect(await audit()).toEqual([])
})

test('a transaction that moves no USDT, such as a gas payment, is adopted for its nonce', async () => {
  const hash = await node.sendCall(node.hotKey, node.rich, '0x', 1n)
  await work(4)
  expect(await audit()).toEqual([10])
  expect(await adopt(api, hash)).toMatchObject({ code: 0, text: expect.stringContaining('moved no money') })
  expect(await audit()).toEqual([])
  await expectPaid('10')
})

test('only the right withdrawal can be adopted, and only with the transaction of our own wallet', async () => {
  await withdraw(api, user, '30')
  const { id } = (await newest()) ?? { id: '' }
  const wrongAmount = await node.sendToken(node.hotKey, user.wallet.address, usdt('28.4'))
  const stranger = await node.sendToken(node.richKey, user.wallet.address, usdt('28.5'))
  await node.mine(4)
  expect(await adopt(api, wrongAmount, id)).toMatchObject({
    code: 1,
    text: expect.stringContaining('address and amount'),
  })
  expect(await adopt(api, stranger, id)).toMatchObject({
    code: 1,
    text: expect.stringContaining('not sent by one of our'),
  })
  expect(await adopt(api, stranger)).toMatchObject({ code: 1, text: expect.stringContaining('moves nothing') })
  await work(3)
  expect((await adopt(api, wrongAmount)).code).toBe(0)
  await work(6)
  expect(await audit()).toEqual([])
  expect((await newest())?.state).toBe('paid')
})

/** The owner proposes and, two days later, accepts. The root of that time is too old by then. */
async function replacePayer(next: Address): Promise<void> {
  await node.callVault('ownerKey', ['propose', 'payer', next, 0n, 0n])
  await node.mine()
  await node.rpc('evm_increaseTime', [48 * 3600])
  await node.mine()
  await node.callVault('ownerKey', ['accept', 'payer'])
  await node.publish()
  await node.mine()
}

test('the key of the hot wallet can be replaced: what the old one signed is signed again and paid once', async () => {
  const before = await node.balanceOf(user.wallet.address)
  await withdraw(api, user, '40')
  await workOnce(api, node, { blocks: 0 })
  const [open] = await listOpenPayouts(api.context.db, api.context.chain)
  // The transaction is lost on its way, and the vault gets another payer.
  await node.rpc('anvil_dropTransaction', [open?.attempts[0]?.txHash])
  const { privateKey: newKey, address: newHot } = createTestWallet()
  await node.setBalance(newHot, 10n ** 20n)
  // The new address holds money before we follow it.
  await node.give(newHot, parseUsdt('3'))
  await replacePayer(newHot)
  const settings = { ...node.settings, HOT_WALLET_KEY: newKey, HOT_WALLET_ADDRESS: newHot }
  const rotated = await createTestApi({ settings, database: { ...api.database, drop: async () => {} } })
  await work(8, rotated)
  expect((await newest())?.state).toBe('paid')
  expect(await node.balanceOf(user.wallet.address)).toBe(before + usdt('38'))
  const payouts = () =>
    api.context.db
      .selectFrom('chain_payouts')
      .selectAll()
      .where('vault_id', '=', open?.vaultId ?? null)
  expect((await payouts().execute()).map(({ wallet }) => wallet).toSorted()).toEqual([node.hot, newHot].toSorted())
  expect(await audit(rotated)).toEqual([])

  // USDT in the old wallet moves to the vault by hand.
  const left = await node.balanceOf(node.hot)
  const move = await node.sendToken(node.hotKey, node.vault, left)
  await work(4, rotated)
  expect(await audit(rotated)).toEqual([10])
  expect(await adopt(api, move)).toMatchObject({ code: 0, text: expect.stringContaining('moved no money out') })
  expect(await audit(rotated)).toEqual([])
  expect(await node.balanceOf(node.hot)).toBe(0n)
  await expectPaid('15', rotated)
  expect(await audit(rotated)).toEqual([])
  await replacePayer(node.hot)
  await rotated.close()
})

test('a withdrawal that is paid on chain already is not paid again, even if the books know no payout at all', async () => {
  const fresh = await createTestApi({ settings: node.settings })
  await work(1, fresh)
  const payer = await aDepositor(fresh, node, '100')
  await withdraw(fresh, payer, '20')
  const before = await node.balanceOf(payer.wallet.address)
  // A token transfer by hand: the books do not know it, and no id says what it paid.
  await node.give(node.hot, parseUsdt('19'))
  const hash = await node.sendToken(node.hotKey, payer.wallet.address, usdt('19'))
  await node.mine(20)
  await work(6, fresh)
  const state = async () => (await fresh.call(withdrawals.history, { page_no: 1 }, payer.token)).data[0]
  expect(await state()).toMatchObject({ state: 'requested', note: expect.stringContaining('match the chain') })
  const { id } = (await state()) ?? { id: '' }
  expect((await adopt(fresh, hash, id)).code).toBe(0)
  await work(4, fresh)
  expect((await state())?.state).toBe('paid')
  expect(await node.balanceOf(payer.wallet.address)).toBe(before + usdt('19'))
  await fresh.close()
})
