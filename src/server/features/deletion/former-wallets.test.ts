import { afterAll, beforeAll, expect, test } from 'vitest'
import { allInvariants } from '../../operators/invariants.ts'
import { createDb, createPool, type Db } from '../../platform/db.ts'
import { aUser, createTestApi, createTestWallet, type TestApi } from '../../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../../testing/chain.ts'
import { auditAfter } from '../../testing/corruption.ts'
import { deleteUser } from '../../testing/deletion.ts'
import { aDepositor, type TestUser, withdraw, workOnce } from '../../testing/payments.ts'
import { recordRoot } from '../../testing/roots.ts'
import { askForWallet, changeWallet } from '../../testing/wallet-changes.ts'

/** A user who withdrew to two wallets, asked for a third, and is then deleted. */
let node: PaymentChain
let api: TestApi
let owner: Db
let gone: TestUser
let former: TestUser
const wanted = createTestWallet()

beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
  owner = createDb(createPool(api.database.ownerUrl, 2))
  former = await aDepositor(api, node, '100')
  await withdraw(api, former, '40')
  for (let pass = 0; pass < 4; pass++) await workOnce(api, node)
  gone = await changeWallet(api, former)
  await recordRoot(api.context)
  await withdraw(api, gone, '60')
  for (let pass = 0; pass < 4; pass++) await workOnce(api, node)
  await askForWallet(api, gone, wanted)
  await deleteUser(api, gone)
})
afterAll(async () => {
  await owner.destroy()
  await api.close()
  await node.stop()
})

const audit = async (...statements: string[]) => {
  const { invariants } = await auditAfter(owner, statements, allInvariants(api.context.chain))
  return invariants.filter(({ outcome }) => outcome === 'broken').map(({ number }) => number)
}

test('withdrawals to both wallets of a deleted user are still verified', async () => {
  expect(await audit()).toEqual([])
  const elsewhere = `'0x${'7'.repeat(40)}'`
  expect(await audit(`update wallet_changes set from_wallet = ${elsewhere}`)).toEqual(expect.arrayContaining([28, 34]))
  expect(await audit(`delete from wallet_changes`)).toContain(28)
  expect(await audit(`update users set deleted_wallet = null`)).toEqual(expect.arrayContaining([28, 34]))
})

test('the change that was waiting is deleted, and every wallet can join again', async () => {
  const rows = await owner.selectFrom('wallet_changes').select(['to_wallet', 'done_at']).execute()
  expect(rows).toEqual([{ to_wallet: gone.wallet.address, done_at: expect.any(Date) }])
  for (const wallet of [former.wallet, gone.wallet, wanted]) {
    const again = await aUser(api, { wallet })
    expect(again.number).toBeGreaterThan(gone.number)
  }
  expect(await audit()).toEqual([])
})
