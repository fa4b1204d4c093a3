import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { formatUsdt, parseUsdt } from '../../../protocol/money.ts'
import { trust } from '../../../protocol/trust.ts'
import { withdrawals } from '../../../protocol/withdrawals.ts'
import { listOpenPayouts } from '../../chain/payouts/payouts.ts'
import type { Hash } from '../../chain/tables.ts'
import { getSystemBalances, getUserBalances } from '../../ledger/balances.ts'
import { findHalt, halt, requireRunning } from '../../ledger/halt.ts'
import { transaction } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../../testing/chain.ts'
import { runAsOwner } from '../../testing/database.ts'
import { fillAccount } from '../../testing/ledger.ts'
import { newsOf } from '../../testing/news.ts'
import { freezeUser, resumePayouts, unfreezeUser } from '../../testing/ops.ts'
import { type OrderChanges, signedWithdrawal, type TestUser, withdraw, workOnce } from '../../testing/payments.ts'

let api: TestApi
let node: PaymentChain
const u = parseUsdt

beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
  // Nothing is paid before the watcher has read the chain.
  await workOnce(api, node)
})
afterAll(async () => {
  await api.close()
  await node.stop()
})
beforeEach(async () => {
  await node.give(node.vault, u('10000'))
})

async function aRichUser(amount = '1000'): Promise<TestUser> {
  const user = await aUser(api)
  await transaction(api.context.db, (tx) => fillAccount(tx, user.number, 'wallet', u(amount)))
  return user
}

const ask = (user: TestUser, amount: string, changes?: OrderChanges) => withdraw(api, user, amount, changes)

const pass = (options?: Parameters<typeof workOnce>[2]) => workOnce(api, node, options)
async function passes(count = 4): Promise<void> {
  for (let at = 0; at < count; at++) await pass()
}

async function newest(user: TestUser) {
  const { data } = await api.call(withdrawals.history, {}, user.token)
  if (!data[0]) throw new Error('no withdrawal')
  return data[0]
}

test('a withdrawal is reserved immediately, paid on chain minus the 5% fee, and settled when it is final', async () => {
  const user = await aRichUser('60')
  const feesBefore = (await getSystemBalances(api.context.db)).fees
  expect((await ask(user, '50')).data).toMatchObject({ state: 'requested', fee: u('2.5'), net: u('47.5') })
  expect((await getUserBalances(api.context.db, user.number)).wallet).toBe(u('10'))
  await pass()
  expect(await newest(user)).toMatchObject({ state: 'sent', confirmations: 0 })
  await pass()
  expect(await newest(user)).toMatchObject({ state: 'sent', confirmations: 1, confirmations_needed: 3 })
  await passes()
  expect(await newest(user)).toMatchObject({ state: 'paid', net: u('47.5'), address: user.wallet.address })
  expect(await newsOf(api.context.db, user)).toEqual(['withdrawal_paid'])
  expect(await node.balanceOf(user.wallet.address)).toBe(47_500_000_000_000_000_000n)
  expect((await getSystemBalances(api.context.db)).fees).toBe(feesBefore + u('2.5'))
  expect((await getSystemBalances(api.context.db)).payout_pending).toBe(0n)
})

/** A busy service refuses a call that has waited too long (R28). Clients then send the same call again. */
async function sendUntilServed(user: Awaited<ReturnType<typeof aRichUser>>, body: object) {
  for (;;) {
    const reply = await api.send('POST', '/withdraw_request/', body, { token: user.token })
    if (reply.status !== 503) return reply
  }
}

test('fifty identical concurrent requests make one withdrawal, and all get the same reply', async () => {
  const user = await aRichUser('1000')
  const body = await signedWithdrawal(user, '20')
  const replies = await Promise.all(Array.from({ length: 50 }, () => sendUntilServed(user, body)))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(replies.map(({ body }) => (body['data'] as { id: string }).id)).size).toBe(1)
  expect((await getUserBalances(api.context.db, user.number)).wallet).toBe(u('980'))
  const changed = { ...body, amount: '21' }
  expect((await api.send('POST', '/withdraw_request/', changed, { token: user.token })).status).toBe(403)
})

test('fifty different concurrent requests never take more than the balance', async () => {
  const user = await aRichUser('100')
  const bodies = await Promise.all(Array.from({ length: 50 }, () => signedWithdrawal(user, '15')))
  const replies = await Promise.all(bodies.map((body) => sendUntilServed(user, body)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(6)
  expect(replies.filter(({ body }) => body.code === 'insufficient_balance')).toHaveLength(44)
  expect((await getUserBalances(api.context.db, user.number)).wallet).toBe(u('10'))
})

test.each<[string, OrderChanges, string]>([
  ['for another amount', { signedAmount: '11' }, 'does not match'],
  ['for another chain', { chainId: 56 }, 'does not match'],
  ['that has expired', { minutes: -1 }, 'has expired'],
  ['with a deadline too far ahead', { minutes: 60 }, 'at most 15 minutes'],
])('a signature %s is refused', async (_, changes, reason) => {
  const user = await aRichUser()
  const reply = await api.send('POST', '/withdraw_request/', await signedWithdrawal(user, '10', changes), {
    token: user.token,
  })
  expect(reply).toMatchObject({ status: 403, body: { code: 'signature_refused' } })
  expect(reply.body.Msg).toContain(reason)
})

test('the signature of another wallet is refused', async () => {
  const [user, thief] = [await aRichUser(), await aRichUser()]
  await expect(ask(user, '10', { signer: thief })).rejects.toThrow('signature_refused')
})

test.each([
  ['9.999999', 'amount_below_minimum: Minimum amount is 10 USDT'],
  ['5000.000001', 'amount_above_limit: You can withdraw 5000 USDT more today'],
])('%s USDT is refused', async (amount, reason) => {
  const user = await aRichUser('9000')
  await expect(ask(user, amount)).rejects.toThrow(reason)
})

test('a user can withdraw 5000 USDT a day, and then nothing more', async () => {
  const user = await aRichUser('9000')
  await ask(user, '10')
  await ask(user, '4990')
  await expect(ask(user, '10')).rejects.toThrow('You can withdraw 0 USDT more today')
})

test('up to 100 USDT is sent automatically, more waits for an operator', async () => {
  const user = await aRichUser()
  expect((await ask(user, '100')).data.state).toBe('requested')
  expect((await ask(user, '100.000001')).data.state).toBe('waiting')
  await passes(5)
  expect(await newest(user)).toMatchObject({ state: 'waiting', confirmations: 0 })
})

test('while the hot wallet is empty withdrawals wait and say why, and they are paid after a refill', async () => {
  const user = await aRichUser()
  await passes(3)
  await node.setBalance(node.hot, 0n)
  await ask(user, '30')
  await passes(2)
  expect(await newest(user)).toMatchObject({ state: 'requested', note: expect.stringContaining('refilled') })
  await node.setBalance(node.hot, 10n ** 20n)
  await passes(5)
  expect(await newest(user)).toMatchObject({ state: 'paid', note: null })
})

test('a stuck chain transaction is replaced with the same nonce and a higher fee, and pays once', async () => {
  const user = await aRichUser()
  await ask(user, '40')
  await pass({ blocks: 0 })
  const look = async (hash = '0x' as Hash) => node.chain.client.getTransaction({ hash })
  const [stuck] = await listOpenPayouts(api.context.db, api.context.chain)
  const waiting = await look(stuck?.attempts[0]?.txHash)
  expect(waiting.blockNumber).toBeNull()
  await pass({ stuckSeconds: 0, blocks: 0 })
  const [payout] = await listOpenPayouts(api.context.db, api.context.chain)
  expect(payout?.attempts).toHaveLength(2)
  const [first, second] = payout?.attempts ?? []
  expect((second?.feeMaxWei ?? 0n) * 8n).toBeGreaterThanOrEqual((first?.feeMaxWei ?? 0n) * 9n)
  await expect(look(waiting.hash)).rejects.toThrow('could not be found')
  await passes(6)
  expect(await newest(user)).toMatchObject({ state: 'paid', tx_hash: second?.txHash })
  expect((await look(second?.txHash)).nonce).toBe(waiting.nonce)
  expect(await node.balanceOf(user.wallet.address)).toBe(38n * 10n ** 18n)
})

test('after a reorg drops a payout, the same signed bytes are sent again', async () => {
  const user = await aRichUser()
  await ask(user, '25')
  await pass()
  const [payout] = await listOpenPayouts(api.context.db, api.context.chain)
  await node.reorg(1)
  expect(await node.balanceOf(user.wallet.address)).toBe(0n)
  await passes(6)
  expect(await newest(user)).toMatchObject({ state: 'paid', tx_hash: payout?.attempts[0]?.txHash })
  expect(await node.balanceOf(user.wallet.address)).toBe(23_750_000_000_000_000_000n)
})

test('a halt refuses new withdrawals, pauses waiting ones, and says so', async () => {
  const user = await aRichUser()
  await ask(user, '20')
  await transaction(api.context.db, (tx) => halt(tx, 'operator', 'something looks wrong'))
  await expect(ask(user, '20')).rejects.toThrow('halted: Payouts and bets are paused: something looks wrong')
  await passes(3)
  expect(await newest(user)).toMatchObject({ state: 'requested', note: expect.stringContaining('paused') })
  await resumePayouts(api)
  await passes(5)
  expect((await newest(user)).state).toBe('paid')
})

test('an audit that is too old pauses payouts but not bets, and a newer complete one resumes them', async () => {
  const audited = (age: string, unchecked: number[]) =>
    sql`insert into audit_runs (at, held, broken, unchecked)
      values (clock_timestamp() - ${age}::interval, '{1}', '{}', ${unchecked})`.execute(api.context.db)
  const user = await aRichUser()
  await ask(user, '20')
  await runAsOwner(api.database.ownerUrl, 'set session_replication_role = replica; delete from audit_runs')
  await audited('6 minutes', [])
  await audited('5 seconds', [5])
  await passes(5)
  expect(await newest(user)).toMatchObject({ state: 'requested', note: expect.stringContaining('all our checks') })
  const { data } = await api.call(trust.summary, {})
  expect(data).toMatchObject({ halted: null, payouts_paused_since: expect.any(Date), audit: { unchecked: [5] } })
  await expect(requireRunning(api.context.db)).resolves.toBeUndefined()
  await audited('1 second', [])
  await passes(5)
  expect((await newest(user)).state).toBe('paid')
})

test('withdrawals of a frozen user are not paid', async () => {
  const user = await aRichUser()
  await ask(user, '20')
  await freezeUser(api, user.number)
  await passes(3)
  await unfreezeUser(api, user.number)
  expect((await newest(user)).state).toBe('requested')
  await passes(5)
  expect((await newest(user)).state).toBe('paid')
})

test('a withdrawal is taken from the chosen balance', async () => {
  const user = await aRichUser()
  await expect(ask(user, '20', { source: 'daily' })).rejects.toThrow('insufficient_balance')
  const { data } = await api.call(withdrawals.terms, {}, user.token)
  expect(data).toMatchObject({ wallet: u('1000'), daily: 0n, outflow_left: u('5000'), halted: null })
  expect(formatUsdt(data.amount_min)).toBe('10')
})

test('payouts stop when the hot wallet key is used elsewhere', async () => {
  const user = await aRichUser()
  await passes(4)
  await node.sendToken(node.hotKey, user.wallet.address, 1n)
  await node.mine(3)
  await ask(user, '20')
  await passes(2)
  expect((await findHalt(api.context.db))?.reason).toBe(
    'The chain node reports transactions of the payout wallet that we did not send',
  )
  expect((await newest(user)).state).toBe('requested')
})
