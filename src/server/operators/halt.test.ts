import { afterAll, beforeAll, expect, test } from 'vitest'
import { balance } from '../../protocol/balance.ts'
import { trust } from '../../protocol/trust.ts'
import { auditAndHalt } from '../ledger/audit.ts'
import { createTestWallet } from '../testing/api.ts'
import { aPlayer, createTestTable, type TestTable } from '../testing/colour.ts'
import { signedWithdrawal } from '../testing/payments.ts'
import { giveWallet, type TestUser } from '../testing/plans.ts'
import { invariants } from './invariants.ts'

let table: TestTable
let player: TestUser
beforeAll(async () => {
  table = await createTestTable()
  player = await aPlayer(table)
  await giveWallet(table, player.number, '500')
  await table.open()
})
afterAll(() => table.close())

const headers = () => ({ token: player.token })
const bet = () => table.send('POST', '/place-bet/', { color: 'green', amount: '1' }, headers())
const withdraw = async () => table.send('POST', '/withdraw_request/', await signedWithdrawal(player, '20'), headers())
const audit = () => auditAndHalt(table.context.db, invariants)

test('a broken invariant stops payouts and bets and says why; sign-in and history still work; a passing audit lifts the halt', async () => {
  const heard: string[] = []
  table.context.events.subscribe(({ topic }) => heard.push(topic))
  await table.owner.query('update ledger_accounts set balance = balance + 1 where id = ledger_custody() + 1')
  await audit()
  for (const attempt of [await bet(), await withdraw()])
    expect(attempt).toMatchObject({ status: 503, body: { code: 'halted' } })
  const { halted } = await table.call(trust.halt, {})
  expect(halted).toContain('4. All accounts sum to 0')
  const { data: summary } = await table.call(trust.summary, {})
  expect(summary).toMatchObject({ halted, audit: { broken: expect.arrayContaining([4]), unchecked: [] } })
  await expect.poll(() => heard).toContain('halt')

  await table.call(balance.statement, { account: 'wallet' }, player.token)
  const signIn = await createTestWallet(player.wallet.privateKey).signIn(table)
  expect((await table.send('POST', '/auth/login/', signIn)).status).toBe(200)

  await table.owner.query('update ledger_accounts set balance = balance - 1 where id = ledger_custody() + 1')
  await audit()
  expect(await table.call(trust.halt, {})).toMatchObject({ halted: null })
  expect((await bet()).status).toBe(200)
  expect((await withdraw()).status).toBe(200)
  expect((await table.call(trust.summary, {})).data.audit).toMatchObject({ broken: [], unchecked: [] })
})
