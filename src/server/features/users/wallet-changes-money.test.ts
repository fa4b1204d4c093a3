import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseUsdt } from '../../../protocol/money.ts'
import { records } from '../../../protocol/records.ts'
import { users } from '../../../protocol/users.ts'
import { wallet } from '../../../protocol/wallet.ts'
import { withdrawals } from '../../../protocol/withdrawals.ts'
import { depositAddressOf } from '../../../verifier/deposit-address.ts'
import { runAudit } from '../../ledger/audit.ts'
import { getUserBalances } from '../../ledger/balances.ts'
import { allInvariants } from '../../operators/invariants.ts'
import { createDb, createPool, type Db } from '../../platform/db.ts'
import { aUser, createTestApi, createTestWallet, type TestApi } from '../../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../../testing/chain.ts'
import { auditAfter, CHECKPOINTS } from '../../testing/corruption.ts'
import { runAsOwner } from '../../testing/database.ts'
import { aDepositUser, settleDeposits, sweepOnce } from '../../testing/deposits.ts'
import { aDepositor, signedWithdrawal, type TestUser, transfer, withdraw, workOnce } from '../../testing/payments.ts'
import { recordRoot } from '../../testing/roots.ts'
import { askForWallet, changeWallet, letDelayPass } from '../../testing/wallet-changes.ts'
import { requestWithdrawal } from '../withdrawals/withdrawals.ts'
import { walletChangeInvariants } from './wallet-changes-audit.ts'
import { doDueChanges } from './wallet-changes-due.ts'

let api: TestApi
let node: PaymentChain
let owner: Db
const u = parseUsdt

beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
  owner = createDb(createPool(api.database.ownerUrl, 2))
  await workOnce(api, node)
})
afterAll(async () => {
  await owner.destroy()
  await api.close()
  await node.stop()
})

const plant = (statement: string) =>
  runAsOwner(api.database.ownerUrl, `set session_replication_role = replica; ${statement}`)
const balanceOf = async ({ number }: TestUser) => (await getUserBalances(api.context.db, number)).wallet
async function passes(count = 5): Promise<void> {
  for (let pass = 0; pass < count; pass++) await workOnce(api, node)
}
async function broken() {
  const { invariants } = await runAudit(api.context.db, allInvariants(api.context.chain), { isFull: true })
  return invariants.filter(({ outcome }) => outcome !== 'held').map(({ number, findings }) => [number, findings])
}

test('USDT from a former wallet is credited to the user, and the history and the export show it', async () => {
  const user = await aDepositor(api, node, '50')
  const changed = await changeWallet(api, user)
  await node.give(user.wallet.address, u('7'))
  await node.pay(user.wallet.privateKey, u('7'))
  await node.give(changed.wallet.address, u('5'))
  await node.pay(changed.wallet.privateKey, u('5'))
  await passes()
  // Without a claim, a payment waits some seconds for one.
  await plant(`update chain_payments set recorded_at = recorded_at - interval '1 minute'`)
  await passes(1)
  expect(await balanceOf(user)).toBe(u('62'))
  const { data } = await api.call(wallet.deposits, {}, changed.token)
  // Two payments in one block have the same time.
  expect(new Set(data.map(({ amount }) => amount))).toEqual(new Set([u('5'), u('7'), u('50')]))
  const exported = await api.call(records.list, { from: { part: 'chain_payments', after: [] } }, changed.token)
  expect(exported.data['chain_payments']).toHaveLength(3)
})

test('the deposit address of a former wallet is swept and credited, and the new wallet has another one', async () => {
  const user = await aDepositUser(api)
  await sweepOnce(api.context)
  const changed = await changeWallet(api, user)
  const { address } = await api.call(wallet.depositAddress, {}, changed.token)
  expect(address).not.toBe(user.address)
  await node.give(user.address, u('30'))
  await node.give(address, u('4'))
  await settleDeposits(api, node)
  expect(await balanceOf(user)).toBe(u('34'))
})

test('a deposit address that an older API process stores gets the wallet of its user', async () => {
  const user = await aUser(api)
  const address = depositAddressOf(node.vault, user.wallet.address)
  const asApi = createDb(createPool(api.database.urls.api, 1))
  await sql`insert into chain_deposit_addresses (address, chain_id, vault, user_number)
    values (${address}, 31337, ${node.vault}, ${user.number})`.execute(asApi)
  await asApi.destroy()
  await node.give(address, u('3'))
  await settleDeposits(api, node)
  expect(await balanceOf(user)).toBe(u('3'))
})

test('a change waits until an open withdrawal to the old wallet is paid', async () => {
  const [user, to] = [await aDepositor(api, node, '40'), createTestWallet()]
  await askForWallet(api, user, to)
  await letDelayPass(api, user)
  await withdraw(api, user, '20')
  await doDueChanges(api.context)
  expect((await api.call(users.walletChange, {}, user.token)).waiting).not.toBeNull()
  await passes(6)
  expect((await api.call(withdrawals.history, {}, user.token)).data).toMatchObject([{ state: 'paid' }])
  await doDueChanges(api.context)
  const { token } = await api.call(users.login, await to.signIn(api))
  expect((await api.call(users.me, {}, token)).data.wallet_address).toBe(to.address)
})

test('after a change, withdrawals wait for a root with the new wallet, then go there and never to the former one', async () => {
  const user = await aDepositor(api, node, '60')
  await recordRoot(api.context)
  const changed = await changeWallet(api, user)
  const waits = async () => (await api.call(withdrawals.terms, {}, changed.token)).data.waits
  await expect(withdraw(api, changed, '20')).rejects.toThrow('too_early: Your wallet has changed')
  expect(await waits()).toContain('within about an hour')
  await recordRoot(api.context)
  expect(await waits()).toBeNull()
  const toFormer = await signedWithdrawal({ ...changed, wallet: user.wallet }, '20')
  await expect(api.call(withdrawals.request, toFormer, changed.token)).rejects.toThrow('signature_refused')
  expect((await withdraw(api, changed, '20')).data.address).toBe(changed.wallet.address)
  await passes(6)
  expect(await node.balanceOf(changed.wallet.address)).toBe(19_000_000_000_000_000_000n)
})

/** A user with money whose change is due. */
async function aUserWithDueChange() {
  const [user, to] = [await aDepositor(api, node, '30'), createTestWallet()]
  await askForWallet(api, user, to)
  await letDelayPass(api, user)
  return { user, to }
}

/** Waits until a connection waits for a row that another one has locked. */
const waitForLock = () =>
  expect
    .poll(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(owner)
      return rows.length
    })
    .toBeGreaterThan(0)

test('a change that meets a withdrawal request waits for its commit, and then for its payment', async () => {
  const { user } = await aUserWithDueChange()
  const { signature, nonce, deadline } = await signedWithdrawal(user, '20')
  const { number, wallet: own } = user
  const request = {
    user: { number, walletAddress: own.address },
    amount: u('20'),
    fee: u('1'),
    source: 'wallet',
  } as const
  const asking = await api.context.db.startTransaction().execute()
  const signed = { ...request, nonce, deadline: new Date(deadline * 1000), signature }
  await requestWithdrawal(asking, signed, new Date())
  const doing = doDueChanges(api.context)
  await waitForLock()
  await asking.commit().execute()
  await doing
  expect((await api.call(users.walletChange, {}, user.token)).waiting).not.toBeNull()
  await passes(6)
})

test('a withdrawal request that meets the change waits for its commit, and is refused', async () => {
  const { user, to } = await aUserWithDueChange()
  const doing = await api.context.db.startTransaction().execute()
  await sql`select wallet_change_do(id) from wallet_changes where to_wallet = ${to.address}`.execute(doing)
  const asked = Promise.allSettled([withdraw(api, user, '20')])
  await waitForLock()
  await doing.commit().execute()
  expect(await asked).toMatchObject([
    { status: 'rejected', reason: { message: expect.stringContaining('unauthenticated: The wallet') } },
  ])
  expect(await balanceOf(user)).toBe(u('30'))
})

/** A contract wallet that accepts every signature (EIP-1271), and one that accepts none. */
const ACCEPTS = '0x631626ba7e60e01b60005260206000f3'
const REFUSES = '0x60006000fd'

test('a contract wallet can be the new one, and must accept its signature also when the change is made', async () => {
  const [user, to, stranger] = [await aUser(api), createTestWallet(), createTestWallet()]
  await expect(askForWallet(api, user, to, { newSigner: stranger })).rejects.toThrow('signature_refused')
  await node.setCode(to.address, ACCEPTS)
  await askForWallet(api, user, to, { newSigner: stranger })
  await letDelayPass(api, user)
  await node.setCode(to.address, REFUSES)
  await doDueChanges(api.context)
  expect((await api.call(users.walletChange, {}, user.token)).waiting).toMatchObject({ to_wallet: to.address })
  await node.setCode(to.address, ACCEPTS)
  await doDueChanges(api.context)
  await expect(api.call(users.walletChange, {}, user.token)).rejects.toThrow('unauthenticated')
})

test('what was signed with a former wallet stays good in the audit', async () => {
  const [user, friend] = [await aDepositor(api, node, '80'), await aUser(api)]
  await withdraw(api, user, '20')
  await passes(6)
  await transfer(api, user, friend, '10')
  const changed = await changeWallet(api, user)
  await transfer(api, changed, friend, '10')
  const twice = await changeWallet(api, changed)
  await transfer(api, twice, friend, '10')
  await passes(6)
  expect(await broken()).toEqual([])
})

describe.each(CHECKPOINTS)('invariant 34 finds, %s,', (_when, arrange) => {
  let changed: TestUser
  beforeAll(async () => {
    changed = await changeWallet(api, await changeWallet(api, await aUser(api)))
    await arrange({ db: api.context.db, ownerUrl: api.database.ownerUrl, invariants: allInvariants(api.context.chain) })
  })

  const last = () =>
    `id = (select id from wallet_changes where user_number = ${changed.number} order by done_at desc limit 1)`
  const corruptions: [string, () => string][] = [
    ['a signature of another wallet', () => `update wallet_changes set from_signature = to_signature where ${last()}`],
    [
      'a new wallet that did not sign',
      () => `update wallet_changes set to_wallet = '0x${'7'.repeat(40)}' where ${last()}`,
    ],
    [
      'another wallet of the user',
      () => `update users set wallet_address = '0x${'8'.repeat(40)}' where number = ${changed.number}`,
    ],
    ['a missing change', () => `delete from wallet_changes where ${last()}`],
    [
      'a change that did not wait',
      () => `alter table wallet_changes drop constraint wallet_changes_check1;
        update wallet_changes set takes_effect_at = asked_at + interval '1 hour' where ${last()}`,
    ],
    [
      'a wallet of two users',
      () => `alter table users drop constraint users_wallet_address_key;
        update users set wallet_address = '${changed.wallet.address}' where number = 1`,
    ],
  ]
  test.each(corruptions)('%s', async (_what, corrupt) => {
    const laws = walletChangeInvariants(api.context.chain)
    expect((await auditAfter(owner, [], laws)).passed).toBe(true)
    expect((await auditAfter(owner, corrupt().split(';'), laws)).passed).toBe(false)
  })
})
