import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseUsdt, type Usdt } from '../../../protocol/money.ts'
import { operatorActText } from '../../../protocol/operators.ts'
import { withdrawalParts, withdrawalTypedData, withdrawalTypedDataWithoutFee } from '../../../protocol/withdrawals.ts'
import { addressOfKey, digestOf } from '../../chain/operator-keys.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { runAudit } from '../../ledger/audit.ts'
import { findHalt } from '../../ledger/halt.ts'
import { ledgerInvariants } from '../../ledger/invariants.ts'
import { post } from '../../ledger/post.ts'
import { newAct } from '../../operators/acts.ts'
import { actInvariants } from '../../operators/invariants-acts.ts'
import { newId, transaction } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../../testing/chain.ts'
import { runAsOwner } from '../../testing/database.ts'
import { enrollTestOperators, testOperators } from '../../testing/ops.ts'
import { type TestUser, withdraw, workOnce } from '../../testing/payments.ts'
import { giveWallet } from '../../testing/plans.ts'
import { signatureInvariants, withdrawalInvariants } from './invariants.ts'
import { vaultIdOf } from './verify.ts'

// The attacker has the application's database role, so every statement here runs as that role. What they do not have is
// the key of another user's wallet or of the payout wallet.
let api: TestApi
let node: PaymentChain
let thief: TestUser
const u = parseUsdt
const ELSEWHERE = `0x${'e'.repeat(40)}` as const

beforeAll(async () => {
  node = await startPaymentChain()
})
afterAll(() => node.stop())
beforeEach(async () => {
  await node.give(node.vault, u('10000'))
  await node.publish()
  api = await createTestApi({ settings: node.settings })
  await workOnce(api, node)
  thief = await aUser(api)
  await giveWallet(api, thief.number, '2000')
})
afterEach(() => api.close())

type Row = {
  amount: Usdt
  address: `0x${string}`
  signature: string
  fee: Usdt
  signsFee: boolean
  isReserved: boolean
  minutes: number
}

/** Writes a withdrawal in plain SQL. Without changes it is one that the API could have written, and it is paid. */
async function forge(signed: string, change: (honest: Row) => Partial<Row> = () => ({})): Promise<string> {
  const [id, nonce] = [newId(), randomBytes(16).toString('hex')]
  const { address = thief.wallet.address, minutes = 10, ...signs } = change({} as Row)
  const { fee = withdrawalParts(u(signed), 5n).fee, signsFee = true } = signs
  const order = { amount: u(signed), fee, source: 'wallet', address, nonce, chainId: 31337 } as const
  const deadline = new Date(Math.floor(Date.now() / 1000 + minutes * 60) * 1000)
  const { account } = thief.wallet
  const signature = signsFee
    ? await account.signTypedData(withdrawalTypedData({ ...order, deadline }))
    : await account.signTypedData(withdrawalTypedDataWithoutFee({ ...order, deadline }))
  const honest = { amount: u(signed), address, signature, fee, signsFee, isReserved: true, minutes }
  const row = { ...honest, ...change(honest) }
  await transaction(api.context.db, async (tx) => {
    await sql`insert into withdrawals (id, user_number, source, amount, fee, to_address, nonce, deadline, signature, state)
      values (${id}, ${thief.number}, 'wallet', ${row.amount}, ${row.fee}, ${row.address}, ${nonce}, ${deadline},
        ${row.signature}, 'requested')`.execute(tx)
    if (row.isReserved) await reserve(id, row.amount, row.fee)
  })
  return id

  async function reserve(reference: string, amount: Usdt, part: Usdt): Promise<void> {
    const from = userAccount(thief.number, 'wallet')
    const movements = [
      { from, to: systemAccount('payout_pending'), amount: (amount - part) as Usdt },
      { from, to: systemAccount('fees'), amount: part },
    ]
    await transaction(api.context.db, (tx) => post(tx, { kind: 'withdrawal', reference, movements }))
  }
}

/** The worker's passes. Its audits check only the ledger, so that the payer must find the forgery itself. */
async function pay(count = 6): Promise<void> {
  for (let pass = 0; pass < count; pass++) await workOnce(api, node, { invariants: ledgerInvariants })
}

async function stateOf(id: string): Promise<string> {
  const { state } = await api.context.db
    .selectFrom('withdrawals')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return state
}

/** The payer halts and names the withdrawal, nothing leaves, and the audit finds the row too. */
async function expectCaught(id: string, problem: string, broken = [28]): Promise<void> {
  const before = (await node.balanceOf(thief.wallet.address)) + (await node.balanceOf(ELSEWHERE))
  await pay()
  expect((await node.balanceOf(thief.wallet.address)) + (await node.balanceOf(ELSEWHERE))).toBe(before)
  expect(await findHalt(api.context.db)).toMatchObject({ source: 'payouts', reason: `Withdrawal ${id} ${problem}` })
  const { invariants } = await runAudit(api.context.db, [
    ...withdrawalInvariants,
    ...signatureInvariants(api.context.chain),
  ])
  const found = invariants.filter(({ findings }) => findings.length > 0)
  expect(found.map(({ number }) => number)).toEqual(broken)
  expect(found.at(-1)?.findings.join()).toContain(id)
}

test('a withdrawal that is signed and reserved is paid, whoever wrote its row', async () => {
  const id = await forge('10')
  await pay()
  expect(await stateOf(id)).toBe('paid')
  expect(await node.balanceOf(thief.wallet.address)).toBe(9_500_000_000_000_000_000n)
})

test.each<[string, string, (honest: Row) => Partial<Row>, number[]?]>([
  [
    'to an address that is not the wallet',
    'goes to an address that is not the wallet of its user',
    () => ({ address: ELSEWHERE }),
  ],
  [
    'to another address and without a signature',
    'is not signed by the wallet of its user',
    () => ({ address: ELSEWHERE, signature: '0xnone' }),
  ],
  ['without a signature', 'is not signed by the wallet of its user', () => ({ signature: '0xnone' })],
  [
    'of another amount than the wallet signed',
    'is not signed by the wallet of its user',
    () => ({ amount: u('90'), fee: u('4.5') }),
  ],
  [
    'with a signature that expired long ago',
    'was requested outside the time its signature is valid',
    () => ({ minutes: -60 }),
  ],
  ['without the fee', 'has a fee that the terms do not allow', () => ({ fee: u('0.000001') })],
  ['whose signature leaves out the fee', 'is not signed by the wallet of its user', () => ({ signsFee: false })],
  ['without a posting', 'is not reserved by its posting', () => ({ isReserved: false }), [11, 28]],
])('a row %s is not paid', async (_, problem, change, broken) => {
  await expectCaught(await forge('10', change), problem, broken)
})

test('a row with the signature of another withdrawal is not paid', async () => {
  const copied = await api.context.db
    .selectFrom('withdrawals')
    .select('signature')
    .where('id', '=', await forge('10'))
    .executeTakeFirstOrThrow()
  await pay()
  const id = await forge('10', () => copied)
  await expectCaught(id, 'is not signed by the wallet of its user')
})

test('a withdrawal moved out of waiting by hand is not paid', async () => {
  const { data } = await withdraw(api, thief, '150')
  const move = `update withdrawals set state = 'requested' where id = '${data.id}'`
  await expect(sql.raw(move).execute(api.context.db)).rejects.toThrow('no operator signed "withdrawals approve"')
  // Even if the database had let it pass, the payer would find that no approval is recorded.
  await runAsOwner(api.database.ownerUrl, `set session_replication_role = replica; ${move}`)
  await expectCaught(data.id, 'lacks the approval of an operator', [11, 28])
})

test('a withdrawal approved with forged signatures of two operators is not paid', async () => {
  await enrollTestOperators(api.context)
  const { data } = await withdraw(api, thief, '1500')
  const act = newAct('withdrawals approve', 'forged', { withdrawal: data.id, amount: '1500', to: thief.wallet.address })
  const digest = digestOf(act)
  const signature = `0x${'ab'.repeat(65)}`
  await transaction(api.context.db, async (tx) => {
    await tx
      .insertInto('operator_acts')
      .values({ id: act.id, act: act.act, payload: operatorActText(act), digest })
      .execute()
    for (const key of [testOperators.anna, testOperators.ben])
      await tx
        .insertInto('operator_signatures')
        .values({ act_id: act.id, operator: addressOfKey(key), digest, signature })
        .execute()
    await sql`select operator_perform(${act.id})`.execute(tx)
    await sql`update withdrawals set state = 'requested' where id = ${data.id}`.execute(tx)
  })
  for (let pass = 0; pass < 6; pass++)
    await workOnce(api, node, { invariants: [...ledgerInvariants, ...actInvariants(api.context.chain)] })
  expect(await stateOf(data.id)).toBe('requested')
  expect(await node.balanceOf(thief.wallet.address)).toBe(0n)
  expect(await findHalt(api.context.db)).toMatchObject({
    source: 'audit',
    reason: expect.stringContaining('29. Every operator act is signed by enough different operators'),
  })
})

test('signed rows written past the daily limits are not paid', async () => {
  const ids: string[] = []
  for (let count = 0; count < 4; count++) ids.push(await forge('100'))
  await pay()
  expect(await node.balanceOf(thief.wallet.address)).toBe(0n)
  expect((await findHalt(api.context.db))?.reason).toBe(`Withdrawal ${ids[0]} lacks the approval of an operator`)
})

test('a withdrawal whose money was returned by hand is not paid', async () => {
  const id = await forge('10')
  const to = userAccount(thief.number, 'wallet')
  const movements = [
    { from: systemAccount('payout_pending'), to, amount: u('9.5') },
    { from: systemAccount('fees'), to, amount: u('0.5') },
  ]
  await transaction(api.context.db, (tx) => post(tx, { kind: 'withdrawal_return', reference: id, movements }))
  await expectCaught(id, 'was already paid or returned', [11, 28])
})

/** A contract wallet that accepts every signature (EIP-1271), and one that accepts none. */
const ACCEPTS = '0x631626ba7e60e01b60005260206000f3'
const REFUSES = '0x60006000fd'

test('the signature of a contract wallet is checked on chain before each payout', async () => {
  await node.setCode(thief.wallet.address, ACCEPTS)
  const accepted = await forge('10', () => ({ signature: `0x${'12'.repeat(80)}` }))
  await pay()
  expect(await stateOf(accepted)).toBe('paid')
  await node.setCode(thief.wallet.address, REFUSES)
  const id = await forge('10', () => ({ signature: `0x${'12'.repeat(80)}` }))
  // The audit reports the new one only: the paid one was signed by keys that the wallet had then.
  await expectCaught(id, 'is not signed by the wallet of its user')
})

// These three leave payouts in the node's queue, so no later test pays anything.
test('a payout planted for a waiting withdrawal is not signed again with a higher fee', async () => {
  const { data } = await withdraw(api, thief, '150')
  await plantPayout(data.id, thief.wallet.address, u('142.5'), await idOf(data.id))
  await pay(2)
  await expectReplaced(0)
  expect((await findHalt(api.context.db))?.reason).toBe(`Withdrawal ${data.id} has a payout that was not approved`)
})

test('a payout planted for no withdrawal is not signed again with a higher fee', async () => {
  const id = newId()
  await plantPayout(id, ELSEWHERE, u('500'))
  await pay(2)
  await expectReplaced(0)
  expect((await findHalt(api.context.db))?.reason).toBe(`Withdrawal ${id} does not exist`)
})

test('a payout planted with another id, which the vault would pay once more, is not signed again', async () => {
  const id = await forge('10')
  await sql`update withdrawals set state = 'signed' where id = ${id}`.execute(api.context.db)
  await plantPayout(id, thief.wallet.address, u('9.5'))
  await pay(2)
  await expectReplaced(0)
  expect((await findHalt(api.context.db))?.reason).toBe(`Withdrawal ${id} has a payout with an id that is not its own`)
})

const idOf = async (id: string) => {
  const query = api.context.db.selectFrom('withdrawals').selectAll().where('id', '=', id.replace('withdrawal_', ''))
  return vaultIdOf(api.context.chain, await query.executeTakeFirstOrThrow())
}

/** A payout with bytes that no node accepts, old enough to be replaced. */
async function plantPayout(
  reference: string,
  to: string,
  amount: Usdt,
  vaultId = `0x${'7'.repeat(64)}`,
): Promise<void> {
  // A real withdrawal first, so that the payer has work to do.
  await forge('10')
  const nonce = await node.chain.client.getTransactionCount({ address: node.hot })
  await sql`insert into chain_payouts (chain_id, wallet, nonce, reference, to_address, amount, vault, vault_id)
    values (31337, ${node.hot}, ${nonce}, ${reference}, ${to}, ${amount}, ${node.vault}, ${vaultId})`.execute(
    api.context.db,
  )
  await sql`insert into chain_payout_attempts
      (tx_hash, chain_id, wallet, nonce, raw, fee_max_wei, tip_max_wei, gas_max, signed_at)
    values (${`0x${randomBytes(32).toString('hex')}`}, 31337, ${node.hot}, ${nonce}, '0x00', 1, 1, 1,
      now() - interval '1 day')`.execute(api.context.db)
}

async function expectReplaced(count: number): Promise<void> {
  const { rows } = await sql`select from chain_payout_attempts where raw <> '0x00' and nonce = (
    select nonce from chain_payout_attempts where raw = '0x00')`.execute(api.context.db)
  expect(rows).toHaveLength(count)
}

test('a withdrawal waits for an audit that began after its request, and a broken audit stops it', async () => {
  const id = await forge('10')
  const broken = { number: 28, name: 'broken for this test', check: async () => ['something is wrong'] }
  await workOnce(api, node, { invariants: [broken] })
  expect(await stateOf(id)).toBe('requested')
  expect((await findHalt(api.context.db))?.source).toBe('audit')
})
