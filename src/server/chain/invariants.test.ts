import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseUsdt, WEI_PER_MICRO } from '../../protocol/money.ts'
import { runAudit } from '../ledger/audit.ts'
import { allInvariants } from '../operators/invariants.ts'
import { createTestApi, type TestApi } from '../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../testing/chain.ts'
import { CHECKPOINTS, WHOLE_WINDOW } from '../testing/corruption.ts'
import { runAsOwner } from '../testing/database.ts'
import { aDepositor, type TestUser, transfer, withdraw, workOnce } from '../testing/payments.ts'
import { createChain } from './client.ts'

let api: TestApi
let node: PaymentChain
let payer: TestUser

beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
  await workOnce(api, node)
  payer = await aDepositor(api, node, '500')
  const friend = await aDepositor(api, node, '20.5')
  await node.sendToken(node.richKey, node.vault, 7_000_000_000_000_000_007n)
  await transfer(api, payer, friend, '30')
  for (const amount of ['40', '50', '120']) await withdraw(api, payer, amount)
  for (let pass = 0; pass < 6; pass++) await workOnce(api, node)
})
afterAll(async () => {
  await api.close()
  await node.stop()
})

async function findings() {
  const { invariants } = await runAudit(api.context.db, allInvariants(api.context.chain), {
    pace: WHOLE_WINDOW,
  })
  return new Map(invariants.map((invariant) => [invariant.number, invariant.findings]))
}
/** Runs as superuser and bypasses every trigger. */
const plant = (statement: string) =>
  runAsOwner(api.database.ownerUrl, `set session_replication_role = replica; ${statement}`)

test('intact books pass every invariant, including those of the chain', async () => {
  const all = await findings()
  expect([...all.keys()]).toEqual(expect.arrayContaining([5, 6, 7, 8, 9, 10, 11, 21, 31, 32]))
  expect([...all.values()].flat()).toEqual([])
})

const one = (table: string, condition: string) => `(select id from ${table} where ${condition} order by id limit 1)`
const deposit = one('chain_payments', "direction = 'in' and value_wei = 500e18")
const payment = one('chain_payments', "direction = 'out'")
const paid = one('withdrawals', "state = 'paid'")
const custody = 'ledger_custody()'

/** Each corruption of the books, and the statement that repairs it. */
const corruptions: [number, string, string, string][] = [
  [
    5,
    'more USDT in custody than on chain',
    `update ledger_accounts set balance = balance - 1 where id = ${custody}`,
    `update ledger_accounts set balance = balance + 1 where id = ${custody}`,
  ],
  [
    5,
    'a remainder that is one wei too high',
    `update chain_bookings set remainder_wei = remainder_wei + 1 where payment_id = ${deposit}`,
    `update chain_bookings set remainder_wei = remainder_wei - 1 where payment_id = ${deposit}`,
  ],
  [
    6,
    'users who are owed more than we hold',
    `update ledger_accounts set balance = balance + 1000000000000 where id = 16 + 3`,
    `update ledger_accounts set balance = balance - 1000000000000 where id = 16 + 3`,
  ],
  [
    7,
    'a deposit credited with more than was paid',
    `update chain_bookings set amount = amount + 1 where payment_id = ${deposit}`,
    `update chain_bookings set amount = amount - 1 where payment_id = ${deposit}`,
  ],
  [
    7,
    'a payment that is not on chain',
    `update chain_payments
      set tx_hash = '0x' || reverse(substr(tx_hash, 3)) where id = ${deposit}`,
    `update chain_payments set tx_hash = '0x' || reverse(substr(tx_hash, 3)) where id = ${deposit}`,
  ],
  [
    8,
    'a forgotten payment',
    `create table kept as select * from chain_unbooked; delete from chain_unbooked`,
    `insert into chain_unbooked select * from kept; drop table kept`,
  ],
  [
    8,
    'a payment on chain that is not recorded',
    `create table kept as select * from chain_payments where block_number = (select max(block_number) from
       chain_payments where direction = 'in'); delete from chain_payments where id in (select id from kept)`,
    `insert into chain_payments select * from kept; drop table kept`,
  ],
  [
    9,
    'a payment to a wrong address',
    `update chain_payments set to_address = '0x${'9'.repeat(40)}' where id = ${payment}`,
    `update chain_payments set to_address = (select wallet_address from users where number = 1) where id = ${payment}`,
  ],
  [
    9,
    'a payment without a booking',
    `create table kept as select * from chain_bookings where payment_id = ${payment};
      delete from chain_bookings where payment_id = ${payment}`,
    `insert into chain_bookings select * from kept; drop table kept`,
  ],
  [
    28,
    'a withdrawal that was paid with the id of another request',
    `update vault_payments set id = '0x' || reverse(substr(id, 3))`,
    `update vault_payments set id = '0x' || reverse(substr(id, 3))`,
  ],
  [
    31,
    'a payment of the vault that belongs to no withdrawal',
    `insert into vault_payments (chain_id, vault, id, wallet, micro, block, tx_hash, happened_at, recorded_at) select chain_id, vault,
       '0x${'7'.repeat(64)}', wallet, 1, block, tx_hash, happened_at, now() - interval '2 minutes' from vault_payments limit 1`,
    `delete from vault_payments where id = '0x${'7'.repeat(64)}'`,
  ],
  [
    31,
    'a withdrawal that the vault did not pay',
    `create table kept as select * from vault_payments limit 1; delete from vault_payments where id in (select id from kept)`,
    `insert into vault_payments select * from kept; drop table kept`,
  ],
  [
    31,
    'a payment of the vault that is not recorded',
    `update vault_payments set vault = '0x${'7'.repeat(40)}'`,
    `update vault_payments set vault = (select vault from chain_payouts where vault is not null limit 1)`,
  ],
  [
    10,
    'a skipped nonce',
    `update chain_payouts set nonce = nonce + 5 where nonce = (select max(nonce) from chain_payouts)`,
    `update chain_payouts set nonce = nonce - 5 where nonce = (select max(nonce) from chain_payouts)`,
  ],
  [
    11,
    'a state that skipped steps',
    `update withdrawals set state = 'requested' where id = ${paid}`,
    `update withdrawals set state = 'paid' where state = 'requested'`,
  ],
  [
    11,
    'a step that the graph does not have',
    `update withdrawal_changes set to_state = 'refused' where to_state = 'signed' and withdrawal_id = ${paid}`,
    `update withdrawal_changes set to_state = 'signed' where to_state = 'refused'`,
  ],
  [
    11,
    'a wrong pending total',
    `update withdrawals set fee = fee + 1 where state = 'waiting'`,
    `update withdrawals set fee = fee - 1 where state = 'waiting'`,
  ],
  [
    21,
    'a transfer whose amount differs from its posting',
    `update transfers set amount = amount + 1`,
    `update transfers set amount = amount - 1`,
  ],
  [
    21,
    'a transfer to an unknown user',
    `update transfers set to_number = 999`,
    `update transfers set to_number = (select account_id / 16 from ledger_entries where kind = 'transfer' and amount > 0)`,
  ],
]

describe.each(CHECKPOINTS)('%s', (_age, setCheckpoint) => {
  beforeAll(() => {
    const { db, chain } = api.context
    return setCheckpoint({ db, ownerUrl: api.database.ownerUrl, invariants: allInvariants(chain) })
  })

  test.each(corruptions)('invariant %i reports %s', async (number, _what, corrupt, repair) => {
    await plant(corrupt)
    try {
      expect((await findings()).get(number)).not.toEqual([])
    } finally {
      await plant(repair)
    }
  })

  test('after every repair all invariants hold again', async () => {
    expect([...(await findings()).values()].flat()).toEqual([])
  })
})

test('the audit reports use of the hot wallet by someone else, and money that left without a withdrawal', async () => {
  await node.give(node.hot, parseUsdt('1'))
  await node.sendToken(node.hotKey, node.rich, parseUsdt('1') * WEI_PER_MICRO)
  for (let pass = 0; pass < 4; pass++) await workOnce(api, node)
  await plant(`update chain_payments set recorded_at = recorded_at - interval '1 hour'`)
  const all = await findings()
  expect(all.get(9)).toEqual([expect.stringContaining('belongs to no withdrawal')])
  expect(all.get(10)).toEqual([expect.stringContaining('transactions, but our next nonce is')])
})

test('invariant 32 reports a vault that holds less than the total of its last root', async () => {
  await node.publish()
  for (let pass = 0; pass < 4; pass++) await workOnce(api, node)
  expect((await findings()).get(32)).toEqual([])
  // As if the token had taken everything away.
  const code = await node.chain.client.getCode({ address: node.usdt })
  await node.setCode(node.usdt, '0x600060005260206000f3')
  await node.mine(3)
  await api.context.db
    .updateTable('chain_cursor')
    .set({ block_hash: (await node.chain.client.getBlock()).hash })
    .execute()
  expect((await findings()).get(32)).toEqual([expect.stringContaining('the last root promises')])
  await node.setCode(node.usdt, code ?? '0x')
})

test('what a node that does not respond cannot show is unchecked; what the database shows is still found', async () => {
  const dead = createChain({ ...api.context.chain.settings, rpcUrl: 'http://127.0.0.1:1' })
  const { passed, invariants } = await runAudit(api.context.db, allInvariants(dead))
  const outcomes = new Map(invariants.map(({ number, outcome }) => [number, outcome]))
  expect(passed).toBe(false)
  expect([5, 6, 7, 8, 10, 31, 32].map((number) => outcomes.get(number))).toEqual(Array(7).fill('unchecked'))
  // Found in the test above, from the database alone.
  expect(outcomes.get(9)).toBe('broken')
})
