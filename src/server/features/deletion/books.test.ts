import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseUsdt } from '../../../protocol/money.ts'
import { users } from '../../../protocol/users.ts'
import { wallet } from '../../../protocol/wallet.ts'
import { wellness } from '../../../protocol/wellness.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { runAudit } from '../../ledger/audit.ts'
import { getBalance } from '../../ledger/balances.ts'
import { allInvariants } from '../../operators/invariants.ts'
import { createDb, createPool, type Db } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../../testing/chain.ts'
import { auditAfter } from '../../testing/corruption.ts'
import { runAsOwner } from '../../testing/database.ts'
import { deleteUser } from '../../testing/deletion.ts'
import { aDepositor, type TestUser, transfer, withdraw, workOnce } from '../../testing/payments.ts'
import { recordRoot } from '../../testing/roots.ts'
import { readBooks } from '../trust/books.ts'
import { nextTree } from '../trust/publish.ts'

/** Real deposits, transfers and payouts of a user who is then deleted: every invariant must hold, unfiltered. */
let node: PaymentChain
let api: TestApi
let owner: Db
let gone: TestUser
let friend: TestUser

beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
  owner = createDb(createPool(api.database.ownerUrl, 2))
  gone = await aDepositor(api, node, '100')
  friend = await aDepositor(api, node, '50')
  await transfer(api, gone, friend, '10')
  await transfer(api, friend, gone, '5')
  await api.call(wellness.log, { kind: 'steps', steps: 500 }, gone.token)
  await api.call(wallet.depositAddress, {}, gone.token)
  await withdraw(api, gone, '93')
  for (let pass = 0; pass < 4; pass++) await workOnce(api, node)
  await recordRoot(api.context)
  await deleteUser(api, gone, '2')
  await recordRoot(api.context)
})
afterAll(async () => {
  await owner.destroy()
  await api.close()
  await node.stop()
})

async function brokenInvariants(): Promise<unknown[]> {
  const { invariants } = await runAudit(api.context.db, allInvariants(api.context.chain), { isFull: true })
  return invariants.flatMap(({ number, outcome, findings }) => (outcome === 'held' ? [] : [[number, findings]]))
}

test('every invariant holds after a deletion, also those that verify signatures of the deleted user', async () => {
  expect(await brokenInvariants()).toEqual([])
})

describe('what is forged for a deleted user is found', () => {
  const entry = (kind: string) => `insert into ledger_entries
    select account_id, version + 1, 0, 0, now(), '${kind}', new_id() from ledger_entries
    where account_id = ${userAccount(gone.number, 'wallet')} order by version desc limit 1`
  const corruptions: [number, string, () => string[]][] = [
    [35, 'an entry in an account', () => [entry('transfer')]],
    [35, 'an account that is open again', () => [`update ledger_accounts set closed = false where closed`]],
    [35, 'a closed account of another user', () => [`update ledger_accounts set closed = true where balance = 0`]],
    [35, 'another amount given up', () => [`update users set given_up = 3 where number = ${gone.number}`]],
    [35, 'a name', () => [`update users set username = 'back_again' where number = ${gone.number}`]],
    [35, 'a wallet', () => [`update users set wallet_address = deleted_wallet where number = ${gone.number}`]],
    [
      35,
      'a session',
      () => [`insert into sessions (id, user_number, token_hash) values (new_id(), ${gone.number}, sha256('x'))`],
    ],
    [
      35,
      'a claim of a payment',
      () => [
        `insert into chain_claims (id, chain_id, tx_hash, user_number, product, amount)
          values (new_id(), 31337, '0x${'a'.repeat(64)}', ${gone.number}, 'wallet', 1)`,
      ],
    ],
    [
      35,
      'money taken from a user as if they were deleted',
      () => [
        `insert into ledger_entries select account_id, version + 1, -1, balance_after - 1, now(), 'account_closing', new_id()
          from ledger_entries where account_id = ${userAccount(friend.number, 'wallet')} order by version desc limit 1`,
      ],
    ],
    [
      28,
      'a later withdrawal',
      () => [`update withdrawals set requested_at = now() where user_number = ${gone.number}`],
    ],
    [
      28,
      'a withdrawal to another wallet',
      () => [`update withdrawals set to_address = '0x${'7'.repeat(40)}' where user_number = ${gone.number}`],
    ],
    [
      28,
      'another former wallet',
      () => [`update users set deleted_wallet = '0x${'7'.repeat(40)}' where deleted_at > '1970-01-01'`],
    ],
    [
      21,
      'a transfer by the deleted user with another signature',
      () => [`update transfers set nonce = repeat('0', 32) where from_number = ${gone.number}`],
    ],
    [
      21,
      'a transfer to the deleted user with another signature',
      () => [`update transfers set nonce = repeat('0', 32) where to_number = ${gone.number}`],
    ],
  ]
  test.each(corruptions)('invariant %i: %s', async (number, _what, statements) => {
    const report = await auditAfter(
      owner,
      ['alter table users drop constraint users_deleted_name', ...statements()],
      allInvariants(api.context.chain),
    )
    const found = report.invariants.find((each) => each.number === number)
    expect(found).toMatchObject({ outcome: 'broken' })
  })
})

test('a deleted user has no leaf in the next tree, and their leaf key is gone', async () => {
  const { db, chain } = api.context
  const books = await readBooks(db, chain, await nextTree(db, chain, 0n))
  expect(books?.parts.flatMap(({ userNumbers }) => [...userNumbers])).toEqual([friend.number])
  const { rows } = await sql`select from leaf_keys where user_number = ${gone.number}`.execute(db)
  expect(rows).toEqual([])
})

test('the wallet comes back as a new user, who gets later payments, and whose leaf counts what the vault paid it', async () => {
  await node.give(gone.wallet.address, parseUsdt('30'))
  await node.pay(gone.wallet.privateKey, parseUsdt('30'))
  for (let pass = 0; pass < 3; pass++) await workOnce(api, node)
  const waiting = async () =>
    (
      await sql`select from chain_unbooked w join chain_payments t on t.id = w.payment_id
        where t.from_address = ${gone.wallet.address}`.execute(api.context.db)
    ).rows.length
  expect(await waiting()).toBe(1)

  const again = await aUser(api, { wallet: gone.wallet })
  expect(again.number).not.toBe(gone.number)
  await runAsOwner(
    api.database.ownerUrl,
    `begin; set local session_replication_role = replica;
     update chain_payments set recorded_at = recorded_at - interval '1 minute'; commit`,
  )
  for (let pass = 0; pass < 2; pass++) await workOnce(api, node)
  expect(await waiting()).toBe(0)
  expect(await getBalance(api.context.db, userAccount(again.number, 'wallet'))).toBe(parseUsdt('30'))
  expect(await getBalance(api.context.db, userAccount(gone.number, 'wallet'))).toBe(0n)
  const { data } = await api.call(users.me, {}, again.token)
  expect(data).toMatchObject({ points: 0, wallet_address: gone.wallet.address })
  const deposits = await api.call(wallet.deposits, {}, again.token)
  expect(deposits.data.map(({ amount }) => amount)).toEqual([parseUsdt('30')])
  await api.call(wallet.depositAddress, {}, again.token)

  await withdraw(api, again, '25')
  for (let pass = 0; pass < 4; pass++) await workOnce(api, node)
  await recordRoot(api.context)
  const { rows } = await sql<{ paid: bigint }>`
    select sum(micro)::bigint as paid from vault_payments where wallet = ${gone.wallet.address}`.execute(api.context.db)
  const first = await sql<{ net: bigint }>`
    select sum(net)::bigint as net from withdrawals where state = 'paid'`.execute(api.context.db)
  expect(rows[0]?.paid).toBe(first.rows[0]?.net)
  expect(await brokenInvariants()).toEqual([])
})
