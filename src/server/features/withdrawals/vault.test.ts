import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../../../protocol/money.ts'
import { withdrawals } from '../../../protocol/withdrawals.ts'
import { listOpenPayouts } from '../../chain/payouts/payouts.ts'
import { readIdState } from '../../chain/vault.ts'
import { getUserBalances } from '../../ledger/balances.ts'
import { findHalt } from '../../ledger/halt.ts'
import { transaction } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { type PaymentChain, startPaymentChain, takeNonce } from '../../testing/chain.ts'
import { fillAccount } from '../../testing/ledger.ts'
import { type TestUser, withdraw, workOnce } from '../../testing/payments.ts'

/** What happens when the vault refuses a payout. */
let api: TestApi
let node: PaymentChain
const u = parseUsdt
/** A token that reverts each transfer and returns a large number for every other call. */
const REFUSES_TRANSFERS = '0x60003560e01c63a9059cbb146023576a0fffffffffffffffffffff60005260206000f35b60006000fd'

beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
  await node.give(node.vault, u('1000'))
  await workOnce(api, node)
})
afterAll(async () => {
  await api.close()
  await node.stop()
})

async function aRichUser(amount = '1000'): Promise<TestUser> {
  const user = await aUser(api)
  await transaction(api.context.db, (tx) => fillAccount(tx, user.number, 'wallet', u(amount)))
  return user
}

const ask = (user: TestUser, amount: string) => withdraw(api, user, amount)
const pass = (options?: Parameters<typeof workOnce>[2]) => workOnce(api, node, options)
async function passes(count = 4): Promise<void> {
  for (let at = 0; at < count; at++) await pass()
}

async function newest(user: TestUser) {
  const { data } = await api.call(withdrawals.history, {}, user.token)
  if (!data[0]) throw new Error('no withdrawal')
  return data[0]
}

test('a payout that fails on chain is not refunded: it is signed again with the same id and paid once', async () => {
  const user = await aRichUser('100')
  await ask(user, '60')
  await pass({ blocks: 0 })
  const [failing] = await listOpenPayouts(api.context.db, api.context.chain)
  const code = await node.chain.client.getCode({ address: node.usdt })
  await node.setCode(node.usdt, '0x60006000fd')
  await node.mine(1)
  await node.setCode(node.usdt, code ?? '0x')
  await node.mine(2)
  await pass({ blocks: 3 })
  await pass({ blocks: 0 })
  expect(await newest(user)).toMatchObject({ state: 'requested', note: expect.stringContaining('sent again') })
  expect((await getUserBalances(api.context.db, user.number)).wallet).toBe(u('40'))
  await pass()
  const [again] = await listOpenPayouts(api.context.db, api.context.chain)
  expect(again).toMatchObject({ vaultId: failing?.vaultId, nonce: (failing?.nonce ?? 0n) + 1n })
  await passes(6)
  expect((await newest(user)).state).toBe('paid')
  expect(await node.balanceOf(user.wallet.address)).toBe(57n * 10n ** 18n)
})

test('a payout whose nonce another holder of the key took is signed again with the same id and paid once', async () => {
  const user = await aRichUser('100')
  await ask(user, '60')
  await pass({ blocks: 0 })
  const [lost] = await listOpenPayouts(api.context.db, api.context.chain)
  await takeNonce(node, lost?.nonce ?? 0n, 2n * (lost?.attempts.at(-1)?.feeMaxWei ?? 0n))
  await passes(8)
  expect((await newest(user)).state).toBe('paid')
  expect(await node.balanceOf(user.wallet.address)).toBe(57n * 10n ** 18n)
  const { rows } = await sql<{ nonce: bigint; vault_id: string }>`
    select nonce, vault_id from chain_payouts where reference = ${lost?.reference} order by nonce`.execute(
    api.context.db,
  )
  expect(rows).toEqual([0n, 1n].map((later) => ({ nonce: (lost?.nonce ?? 0n) + later, vault_id: lost?.vaultId })))
  expect(await findHalt(api.context.db)).toBeUndefined()
})

test('a payment that the token refuses is refunded with its fee, after its id is voided on chain', async () => {
  const user = await aRichUser('100')
  await passes(3)
  const code = await node.chain.client.getCode({ address: node.usdt })
  await node.setCode(node.usdt, REFUSES_TRANSFERS)
  await ask(user, '60')
  await pass()
  const [voiding] = await listOpenPayouts(api.context.db, api.context.chain)
  expect(voiding?.isVoid).toBe(true)
  expect(await newest(user)).toMatchObject({ state: 'sent', note: expect.stringContaining('not possible') })
  expect((await getUserBalances(api.context.db, user.number)).wallet).toBe(u('40'))
  await node.setCode(node.usdt, code ?? '0x')
  await passes(6)
  expect(await newest(user)).toMatchObject({ state: 'refunded', note: expect.stringContaining('back in your balance') })
  expect((await getUserBalances(api.context.db, user.number)).wallet).toBe(u('100'))
  expect(await readIdState(node.chain, voiding?.vaultId ?? '0x')).toBe('voided')
  await ask(user, '10')
  await passes(5)
  expect((await newest(user)).state).toBe('paid')
})

test('while the vault is paused, has no fresh root or is at its limit, withdrawals wait and say why', async () => {
  const user = await aRichUser()
  const waitsWith = async (words: string) => {
    await pass()
    expect(await newest(user)).toMatchObject({ state: 'requested', note: expect.stringContaining(words) })
  }
  await passes(3)
  await node.callVault('guardianKey', ['pause'])
  await node.mine()
  await ask(user, '30')
  await waitsWith('paused')
  await node.callVault('ownerKey', ['unpause'])
  await node.rpc('evm_increaseTime', [86_401])
  await node.mine()
  await waitsWith('next proof of all balances')
  await node.publish()
  await node.callVault('ownerKey', ['propose', 'limits', node.vault, u('28'), u('5000')])
  await node.mine()
  await waitsWith('daily limit')
})
