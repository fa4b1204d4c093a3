import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { colour } from '../../src/protocol/colour.ts'
import { parseUsdt } from '../../src/protocol/money.ts'
import { type LoginName, loginNames } from '../../src/server/embedded/postgres.ts'
import { systemAccount, type UserAccountKind, userAccount, userAccountKinds } from '../../src/server/ledger/accounts.ts'
import { type PostingKind, postingKinds, rules } from '../../src/server/ledger/rules.ts'
import { newId, transaction } from '../../src/server/platform/db.ts'
import { aPlayer, createTestTable, type TestTable } from '../../src/server/testing/colour.ts'
import { fillAccount } from '../../src/server/testing/ledger.ts'
import { type Attacker, createAttacker, DENIED } from './attacker.ts'

let table: TestTable
let attacker: Attacker
let me: number
let other: number
beforeAll(async () => {
  table = await createTestTable()
  const [mine, theirs] = [await aPlayer(table), await aPlayer(table)]
  me = mine.number
  other = theirs.number
  await transaction(table.context.db, (tx) => fillAccount(tx, me, 'wallet', parseUsdt('500')))
  await table.open()
  await table.call(colour.placeBet, { amount: '1', color: 'red' }, mine.token)
  await table.owner.query(`
    insert into halts (source, reason) values ('operator', 'a test');
    begin; set local session_replication_role = replica; update users set frozen_at = now() where number = ${other}; commit;
    insert into withdrawals (id, user_number, source, amount, fee, to_address, nonce, deadline, signature, state)
    values ('${WITHDRAWAL}', ${me}, 'wallet', 2000000, 0, '${MINE}', '${'0'.repeat(32)}', now(), '', 'waiting')`)
  attacker = await createAttacker(table.database)
})
afterAll(async () => {
  await attacker.close()
  await table.close()
})

const MINE = `0x${'1'.repeat(40)}`
const WITHDRAWAL = '00000000-0000-7000-8000-00000000000a'
const allBut = (...names: LoginName[]) => loginNames.filter((name) => !names.includes(name))

/** Which processes may post each kind. Postings from custody, which create money, are the worker's alone. */
const posters: Record<PostingKind, LoginName[]> = {
  plan_purchase: ['api'],
  chain_deposit: ['worker'],
  re_top_up: ['api'],
  re_top_up_fee: ['api', 'worker'],
  upline_reward: ['api', 'worker'],
  daily_reward: ['api', 'worker'],
  plan_maturity: ['worker'],
  transfer: ['api'],
  withdrawal: ['api'],
  withdrawal_payment: ['worker'],
  withdrawal_return: ['worker', 'operator'],
  bet_deposit: ['api'],
  bet_withdrawal: ['api'],
  bet: ['api'],
  round_settlement: ['worker'],
  round_refund: ['worker'],
  colour_upline: ['api', 'worker'],
  royalty: ['api'],
  health_release: ['api'],
  operator_deposit: ['worker'],
  operator_outflow: ['operator'],
  pool_funding: ['operator'],
  fee_collection: ['operator'],
  reward_hold: ['api', 'worker'],
  reward_release: ['operator'],
  reward_forfeit: ['operator'],
  account_closing: ['api'],
}

describe('posting a kind that another process posts', () => {
  const isUserKind = (kind: string): kind is UserAccountKind => (userAccountKinds as readonly string[]).includes(kind)
  const accountOf = (kind: string, user: number) =>
    isUserKind(kind) ? userAccount(user, kind) : systemAccount(kind as Parameters<typeof systemAccount>[0])
  const movements = (kind: PostingKind) =>
    rules[kind].map(([from, to, users]) => ({
      source: accountOf(from, me),
      target: accountOf(to, users === 'other' ? other : me),
      allowed: from === 'custody' ? ['worker'] : posters[kind],
    }))
  const calls = {
    ledger_post_one: (kind: string, source: bigint, target: bigint) =>
      `ledger_post_one('${kind}', new_id(), null, null, ${source}, ${target}, 1)`,
    ledger_post: (kind: string, source: bigint, target: bigint) =>
      `ledger_post('${kind}', new_id(), null, null, array[${source}], array[${target}], array[1::bigint])`,
    ledger_post_group: (kind: string, source: bigint, target: bigint) =>
      `ledger_post_group(array['${kind}']::ledger_kind[], array[new_id()], array[null]::uuid[], array[null]::jsonb[],
        '{1}', array[${source}], array[${target}], array[1::bigint], false)`,
  }

  // A transaction that is rolled back, so that no attempt changes what the next one finds.
  test.each(postingKinds)('%s is refused for every process but its own', async (kind) => {
    for (const login of loginNames)
      for (const { source, target, allowed } of movements(kind))
        for (const call of Object.values(calls)) {
          const attempt = attacker.as(login, `begin; select outcome from ${call(kind, source, target)}; rollback`)
          if (allowed.includes(login)) expect(await attempt).toHaveLength(1)
          else await expect(attempt, `${login} ${source} ${target}`).rejects.toThrow(DENIED)
        }
  })

  test('another role cannot be taken on', async () => {
    for (const login of loginNames)
      for (const role of allBut(login)) {
        await expect(attacker.as(login, `set role wellplay_${role}`)).rejects.toThrow(DENIED)
        await expect(attacker.as(login, `set session authorization wellplay_${role}`)).rejects.toThrow(DENIED)
      }
  })
})

/** Each attack with the processes that must not be able to make it. */
const attacks: [name: string, logins: readonly LoginName[], sql: () => string][] = [
  [
    'book a payment that is not on chain',
    allBut('worker'),
    () => `insert into chain_payments values (new_id(), 1, '0x',
    0, 'in', '0x', '0x', 1, 1, '0x', now())`,
  ],
  [
    'mark a payment as booked',
    allBut('worker'),
    () => 'insert into chain_bookings (payment_id, amount, remainder_wei) values (new_id(), 1, 0)',
  ],
  [
    'explain what left our wallets',
    loginNames,
    () => `insert into chain_treasury values (1, '${MINE}', 0, '0x${'1'.repeat(64)}', '0x')`,
  ],
  ['move the cursor over a payment', allBut('worker'), () => 'update chain_cursor set block_number = 0'],
  [
    'store a signed payout',
    allBut('worker'),
    () => `insert into chain_payouts values (1, '${MINE}', 0, new_id(), '${MINE}', 1)`,
  ],
  ['store signed bytes', allBut('worker'), () => 'insert into chain_payout_attempts (raw) values (null)'],
  ['request a withdrawal for a user', allBut('api'), () => `insert into withdrawals (id) values (new_id())`],
  ['release a waiting withdrawal', loginNames, () => `update withdrawals set state = 'requested'`],
  ['mark a withdrawal as paid', allBut('worker'), () => `update withdrawals set state = 'paid'`],
  ['change where a withdrawal goes', loginNames, () => `update withdrawals set to_address = '0x'`],
  ['propose an act', allBut('operator'), () => 'insert into operator_acts (id) values (new_id())'],
  ['sign an act', allBut('operator'), () => 'insert into operator_signatures (act_id) values (new_id())'],
  ['perform an act', allBut('operator'), () => 'select operator_perform(new_id())'],
  ['enroll an operator', loginNames, () => `insert into operators values ('${MINE}', 'mallory', now())`],
  ['decide a held reward', allBut('operator'), () => `update referral_holds set state = 'released'`],
  ['unfreeze an account', loginNames, () => 'update users set frozen_at = null'],
  ['lift the halt of an operator', loginNames, () => `delete from halts where source = 'operator'`],
  ['report an audit that did not run', allBut('worker'), () => 'insert into audit_runs (held) values (array[1])'],
  ['count an audit that did not run', allBut('worker'), () => 'select ledger_count_audit(0)'],
  ['seal history', allBut('worker'), () => `select ledger_seal('{1}', '{0}', array[sha256('')])`],
  ['forget the seals', allBut('worker'), () => 'select ledger_start_anew()'],
  ['skip the rolling check', allBut('worker'), () => 'select ledger_next_turn()'],
  ['move the checkpoint', loginNames, () => 'update ledger_checkpoint set tx_to = 0'],
  ['move a head', loginNames, () => 'update ledger_heads set balance = 0'],
  ['forge a seal', loginNames, () => 'insert into ledger_seals select * from ledger_seals limit 0'],
  ['remove a seal', loginNames, () => 'delete from ledger_seals'],
  ['date a transfer back', loginNames, () => 'insert into transfers (tx) values (0)'],
  ['date a bet back', loginNames, () => 'insert into colour_bets (tx) values (0)'],
  ['date a reward back', loginNames, () => 'insert into daily_rewards (tx) values (0)'],
  ['date a withdrawal back', loginNames, () => 'update withdrawals set tx = 0'],
  ['write the audit log', ['api', 'seeds'], () => `select audit_append('anna', 'approve', 'because')`],
  ['place a bet for a user', allBut('api'), () => `insert into colour_bets values (new_id(), 1, ${me}, 'red', 1)`],
  ['lower a daily total', loginNames, () => 'update colour_daily_totals set staked = 0, lost = 0'],
  ['add a daily total', loginNames, () => `insert into colour_daily_totals values (${me}, '2020-01-01', 0, -1000000)`],
  ['change a bet', loginNames, () => `update colour_bets set colour = 'green'`],
  ['read the seeds', loginNames, () => 'select seed from colour_seeds'],
  ['replace the seeds', loginNames, () => `insert into colour_seeds values (1, 1, decode(repeat('00', 32), 'hex'))`],
  ['change the movements that are allowed', loginNames, () => 'drop function ledger_allows'],
  ['change the steps of a withdrawal', loginNames, () => `insert into withdrawal_steps values (null, 'paid')`],
  ['turn off triggers', loginNames, () => 'set session_replication_role = replica'],
  ['rename an account', loginNames, () => `update ledger_account_kinds set name = 'mine'`],
  ['delete a used proof, to send it again', loginNames, () => 'delete from session_proofs'],
  ['delete the counts that limit calls', loginNames, () => 'delete from rate_counts'],
  ['delete sessions', loginNames, () => 'delete from sessions'],
  ['delete audits', loginNames, () => 'delete from audit_runs'],
  ['delete the balances of a snapshot', loginNames, () => 'delete from liability_parts'],
  ['sweep old rows', allBut('worker'), () => `select retention_sweep('sessions', 1)`],
  ['sweep money', loginNames, () => `select retention_sweep('ledger_entries', 1)`],
  ...['ledger_entries', 'ledger_postings', 'ledger_accounts', 'audit_log'].flatMap((name): typeof attacks => [
    [`delete from ${name}`, loginNames, () => `delete from ${name}`],
    [`truncate ${name}`, loginNames, () => `truncate ${name}`],
    [`write ${name}`, loginNames, () => `insert into ${name} select * from ${name} limit 0`],
    [`drop the triggers of ${name}`, loginNames, () => `alter table ${name} disable trigger all`],
  ]),
]

test.each(attacks)('no process but its own can %s', async (_name, logins, sql) => {
  for (const login of logins) await expect(attacker.as(login, sql()), login).rejects.toThrow(DENIED)
})

test('a worker that sweeps cannot make a row old before its time', async () => {
  const tables = ['sessions', 'rate_counts', 'transfer_allowances', 'colour_daily_totals']
  await table.owner.query(`
    insert into rate_counts values (new_id(), 1, now() + interval '1 minute');
    insert into transfer_allowances values (${me}, current_date, 1000000) on conflict do nothing`)
  for (const name of tables) {
    expect((await table.owner.query(`select from ${name} limit 1`)).rowCount, name).toBe(1)
    const sweep = `begin; set local timezone = 'Pacific/Kiritimati'; select retention_sweep('${name}', null) as swept; commit`
    expect(await attacker.as('worker', sweep), name).toEqual([{ swept: 0 }])
  }
})

test('the seeds process cannot read accounts, users or sessions', async () => {
  for (const name of ['ledger_accounts', 'users', 'sessions', 'withdrawals', 'chain_payouts'])
    await expect(attacker.as('seeds', `select * from ${name}`)).rejects.toThrow(DENIED)
})

describe('the API pays itself a reward', () => {
  // Gives every pool money, so that the attack is not stopped by an empty one.
  beforeAll(() =>
    table.owner.query(`begin; set local session_replication_role = replica;
      update ledger_accounts set balance = balance + 100000000 where id > ledger_custody(); commit`),
  )

  test.each([
    ['daily_reward', 'reward_pool', 'reward', 15, () => `user ${me} was paid 1000000 to reward`],
    ['upline_reward', 'reward_pool', 'referral', 17, (reference: string) => `order ${reference}`],
    ['colour_upline', 'fees', 'referral', 20, (reference: string) => `the upline of ${reference} was paid`],
    ['royalty', 'royalty_pool', 'referral', 17, (reference: string) => `royalty ${reference}`],
  ] as const)('%s without a cause is named by the audit', async (kind, pool, account, number, finding) => {
    const [reference, from, to] = [newId(), systemAccount(pool), userAccount(me, account)]
    const post = `ledger_post_one('${kind}', '${reference}', null, null, ${from}, ${to}, 1000000)`
    expect(await attacker.as('api', `select outcome from ${post}`)).toEqual([{ outcome: 'posted' }])
    const { invariants } = await attacker.audit()
    const found = invariants.find((invariant) => invariant.number === number)?.findings
    expect(found).toContainEqual(expect.stringContaining(finding(reference)))
  })
})
