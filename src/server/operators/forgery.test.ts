import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../../protocol/money.ts'
import { type OperatorAct, operatorActText } from '../../protocol/operators.ts'
import { addressOfKey, digestOf, signAct } from '../chain/operator-keys.ts'
import { auditAndHalt } from '../ledger/audit.ts'
import { creditOperator, fundPool } from '../ledger/funding.ts'
import { findHalt, halt } from '../ledger/halt.ts'
import { newId, type Tx, transaction } from '../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../testing/api.ts'
import { runAsOwner } from '../testing/database.ts'
import { enrollTestOperators, runTestOps, testOperators, waitingId } from '../testing/ops.ts'
import { withdraw } from '../testing/payments.ts'
import { giveWallet } from '../testing/plans.ts'
import { newAct } from './acts.ts'
import { actInvariants } from './invariants-acts.ts'

// What an attacker with the application's database role tries in plain SQL (R30).

const CHAIN_ID = 31337
const FORGED = `0x${'ab'.repeat(65)}`
const [anna, ben] = [addressOfKey(testOperators.anna), addressOfKey(testOperators.ben)]
const stranger = `0x${'9'.repeat(64)}` as const

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
  await enrollTestOperators(api.context)
  await transaction(api.context.db, (tx) => creditOperator(tx, { reference: newId(), amount: parseUsdt('100000') }))
})
afterAll(() => api.close())

const run = (text: string) => sql.raw(text).execute(api.context.db)

const insertAct = (tx: Tx, act: OperatorAct, payload = operatorActText(act), digest = digestOf(act)) =>
  tx.insertInto('operator_acts').values({ id: act.id, act: act.act, payload, digest }).execute()

const insertSignature = (
  tx: Tx,
  act: OperatorAct,
  operator: `0x${string}`,
  signature = FORGED,
  digest = digestOf(act),
) => tx.insertInto('operator_signatures').values({ act_id: act.id, operator, digest, signature }).execute()

const performAct = async (tx: Tx, act: OperatorAct) =>
  (await sql<{ missing: number }>`select operator_perform(${act.id}) as missing`.execute(tx)).rows[0]?.missing

/** Runs `work` in a transaction that is rolled back. */
async function undone<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const tx = await api.context.db.startTransaction().execute()
  try {
    return await work(tx)
  } finally {
    await tx.rollback().execute()
  }
}

/** Writes an act with forged signatures of these operators. */
async function forge(tx: Tx, act: OperatorAct, signers: `0x${string}`[]): Promise<void> {
  await insertAct(tx, act)
  for (const signer of signers) await insertSignature(tx, act, signer)
}

const attempt = <Result>(act: OperatorAct, signers: `0x${string}`[], then: (tx: Tx) => Promise<Result>) =>
  undone(async (tx) => {
    await forge(tx, act, signers)
    return await then(tx)
  })

/** What invariant 29 reports after `corrupt`. */
const findingsAfter = (corrupt: (tx: Tx) => Promise<unknown>): Promise<string[]> =>
  undone(async (tx) => {
    await corrupt(tx)
    const [invariant] = actInvariants(api.context.chain)
    return (await invariant?.check(tx)) ?? []
  })

/** A held reward and a flag. Written as the owner without foreign keys, because only the triggers matter here. */
async function aHold(userNumber: number): Promise<{ hold: string; flag: string }> {
  const [hold, flag] = [newId(), newId()]
  await runAsOwner(
    api.database.ownerUrl,
    `set session_replication_role = replica;
    insert into referral_flags (id, kind, key) values ('${flag}', 'device', 'x');
    insert into referral_holds (id, order_id, level, user_number, amount, kinds, flags)
    values ('${hold}', '${newId()}', 1, ${userNumber}, 5, '{device,burst}', '{}')`,
  )
  return { hold, flag }
}

const fundAct = (amount: string) => newAct('fund', 'forged', { pool: 'house', amount })

test('the application cannot write operators, acts, signatures or their rules directly', async () => {
  for (const statement of [
    `insert into operators values ('${addressOfKey(stranger)}', 'mallory', now())`,
    `update operators set address = '${addressOfKey(stranger)}' where name = 'ben'`,
    `update operators set revoked_at = null`,
    `delete from operators`,
    `update operator_act_kinds set signatures = 1`,
    `update operator_acts set performed_at = now(), performed_in = pg_current_xact_id()`,
    `insert into operator_acts (id, act, payload, digest, performed_at) values ('${newId()}', 'halt', '{}', '', now())`,
    `update operator_signatures set signature = '${FORGED}'`,
    `update operator_acts_since set at = now() + interval '1 year'`,
  ])
    await expect(run(statement), statement).rejects.toThrow('permission denied')
})

test('an act whose digest, id or name is not that of its text is refused', async () => {
  const act = fundAct('5')
  const other = operatorActText({ ...act, amount: '5000' })
  const digestOther = createHash('sha256').update(other).digest()
  const refused = (payload: string, digest: Buffer, row = act) =>
    expect(transaction(api.context.db, (tx) => insertAct(tx, row, payload, digest))).rejects.toThrow('check constraint')
  await refused(operatorActText(act), digestOther)
  await refused(other, digestOf(act))
  await refused(other, digestOther, { ...act, id: newId() })
  await refused(other, digestOther, { ...act, act: 'collect-fees' })
})

test('a signature of an unknown key, a second one of the same key, or one for another digest is refused', async () => {
  const refused = (signers: `0x${string}`[], message: string) =>
    expect(attempt(fundAct('5'), signers, async () => {})).rejects.toThrow(message)
  await refused([addressOfKey(stranger)], 'is not the key of an operator')
  await refused([anna, anna], 'duplicate key')
  const act = fundAct('5')
  const otherDigest = digestOf(fundAct('6'))
  await expect(attempt(act, [], (tx) => insertSignature(tx, act, anna, FORGED, otherDigest))).rejects.toThrow(
    'the signature is for another act',
  )
})

test('once there are operators, strangers cannot enroll themselves', async () => {
  const enrollment = newAct('operators enroll', 'forged', { name: 'mallory', address: addressOfKey(stranger) })
  await expect(attempt(enrollment, [addressOfKey(stranger)], async () => {})).rejects.toThrow('is not the key')
  expect(await attempt(enrollment, [], (tx) => performAct(tx, enrollment))).toBe(2)
})

test('an act without enough signatures is not performed, and runs only once', async () => {
  const large = fundAct('1000.000001')
  expect(await attempt(large, [anna], (tx) => performAct(tx, large))).toBe(1)
  const small = fundAct('5')
  expect(await attempt(small, [], (tx) => performAct(tx, small))).toBe(1)
  const twice = fundAct('6')
  const both = async (tx: Tx) => [await performAct(tx, twice), await performAct(tx, twice)]
  await expect(attempt(twice, [anna], both)).rejects.toThrow('was performed')
})

test('no withdrawal, hold, flag, freeze or halt changes without a signed act for exactly that', async () => {
  const user = await aUser(api)
  await giveWallet(api, user.number, '5000')
  const { data } = await withdraw(api, user, '2000')
  const id = data.id.replace('withdrawal_', '')
  await transaction(api.context.db, (tx) => halt(tx, 'operator', 'test setup'))
  for (const statement of [
    `update withdrawals set state = 'requested' where id = '${id}'`,
    `update withdrawals set state = 'refused' where id = '${id}'`,
    `update users set frozen_at = now() where number = ${user.number}`,
    `delete from halts`,
  ])
    await expect(run(statement), statement).rejects.toThrow('no operator signed')
  const { hold, flag } = await aHold(user.number)
  for (const statement of [
    `update referral_holds set state = 'released', decided_by = 'x', decided_at = now() where id = '${hold}'`,
    `update referral_holds set state = 'forfeited', decided_by = 'x', decided_at = now() where id = '${hold}'`,
    `update referral_flags set dismissed_by = 'x', dismissed_at = now() where id = '${flag}'`,
  ])
    await expect(run(statement), statement).rejects.toThrow('no operator signed')
  // An approval of a smaller amount needs one signature only, but does not allow this withdrawal.
  const cheap = newAct('withdrawals approve', 'forged', { withdrawal: id, amount: '5', to: user.wallet_address })
  const approve = async (tx: Tx) => {
    expect(await performAct(tx, cheap)).toBe(0)
    await sql`update withdrawals set state = 'requested' where id = ${id}`.execute(tx)
  }
  await expect(attempt(cheap, [anna], approve)).rejects.toThrow('no operator signed')
  expect(await findHalt(api.context.db)).toBeDefined()
})

test('the audit finds a forged signature, a replayed one, and one for another chain', async () => {
  const other = await runTestOps(api, ['fund', 'house', '2000', '--as', 'anna', '--why', 'monthly plan'])
  const { signature } = await api.context.db
    .selectFrom('operator_signatures')
    .select('signature')
    .where('act_id', '=', waitingId(other.text))
    .executeTakeFirstOrThrow()
  expect(await findingsAfter(async () => {})).toEqual([])
  for (const make of [
    async () => FORGED,
    async () => signature,
    (act: OperatorAct) => signAct(testOperators.anna, act, CHAIN_ID + 1),
    (act: OperatorAct) => signAct(testOperators.ben, act, CHAIN_ID),
  ]) {
    const act = fundAct('5')
    const forged = await make(act)
    const findings = await findingsAfter(async (tx) => {
      await insertAct(tx, act)
      await insertSignature(tx, act, anna, forged)
    })
    expect(findings).toEqual([`the signature of ${anna} on act ${act.id} is not valid`])
  }
})

test('the audit finds a text with a key written twice, which could show the signer something else', async () => {
  const act = fundAct('5')
  const payload = operatorActText(act).replace('{', '{"amount":"5000",')
  const digest = createHash('sha256').update(payload).digest()
  const signature = await signAct(testOperators.anna, act, CHAIN_ID)
  const findings = await findingsAfter(async (tx) => {
    await insertAct(tx, act, payload, digest)
    await insertSignature(tx, act, anna, signature, digest)
  })
  expect(findings).toEqual([`the text of act ${act.id} is not in its one form`])
})

test('the audit finds money that moved without an act, with another amount, or not at all', async () => {
  const findings = await findingsAfter((tx) => fundPool(tx, 'house', { reference: newId(), amount: parseUsdt('7') }))
  expect(findings).toEqual([expect.stringContaining('fund of 7000000 has no act')])
  const signed = async (tx: Tx) => {
    const act = fundAct('5')
    await insertAct(tx, act)
    await insertSignature(tx, act, ben, await signAct(testOperators.ben, act, CHAIN_ID))
    expect(await performAct(tx, act)).toBe(0)
    return act.id
  }
  const correct = async (tx: Tx) => fundPool(tx, 'house', { reference: await signed(tx), amount: parseUsdt('5') })
  expect(await findingsAfter(correct)).toEqual([])
  const more = async (tx: Tx) => fundPool(tx, 'house', { reference: await signed(tx), amount: parseUsdt('5000') })
  expect(await findingsAfter(more)).toHaveLength(1)
  const elsewhere = async (tx: Tx) =>
    fundPool(tx, 'royalty_pool', { reference: await signed(tx), amount: parseUsdt('5') })
  expect(await findingsAfter(elsewhere)).toHaveLength(1)
  expect(await findingsAfter(signed)).toHaveLength(1)
})

test('a forged approval halts payouts at the next audit', async () => {
  const act = fundAct('9')
  await transaction(api.context.db, async (tx) => {
    await forge(tx, act, [anna])
    expect(await performAct(tx, act)).toBe(0)
    await fundPool(tx, 'house', { reference: act.id, amount: parseUsdt('9') })
  })
  const report = await auditAndHalt(api.context.db, actInvariants(api.context.chain))
  expect(report.passed).toBe(false)
  const halts = await api.context.db.selectFrom('halts').selectAll().where('source', '=', 'audit').execute()
  expect(halts[0]?.reason).toContain('29. Every operator act is signed by enough different operators')
})
