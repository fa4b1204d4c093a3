import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseUsdt } from '../../protocol/money.ts'
import { createDb, transaction } from '../platform/db.ts'
import { auditAfter, sealAll } from '../testing/corruption.ts'
import { createTestLedger } from '../testing/ledger.ts'
import { userAccount } from './accounts.ts'
import { auditAndHalt, formatReport, type Invariant, runAudit } from './audit.ts'
import { recordAction } from './audit-log.ts'
import { findLastAudit } from './audit-runs.ts'
import { findHalt, halt, requireRunning } from './halt.ts'
import { ledgerInvariants } from './invariants.ts'

type Books = Awaited<ReturnType<typeof createTestLedger>>

async function fill({ db, openUsers, fundPools }: Books): Promise<void> {
  await openUsers(3, 'wallet', parseUsdt('100'))
  await fundPools()
  await transaction(db, async (tx) => {
    for (const what of ['first', 'second', 'third'])
      await recordAction(tx, { who: 'test', what, why: 'to have a chain' })
  })
}

let books: Books
/** The same books, but with a checkpoint before or after their rows. */
let fresh: Books
let sealed: Books
beforeAll(async () => {
  books = await createTestLedger()
  fresh = await createTestLedger()
  sealed = await createTestLedger()
  await sealAll(fresh.db, ledgerInvariants)
  for (const some of [books, fresh, sealed]) await fill(some)
  await sealAll(sealed.db, ledgerInvariants)
})
afterAll(() => Promise.all([books, fresh, sealed].map((some) => some.close())))

const wallet = userAccount(1, 'wallet')
const pool = '(ledger_custody() + 2)'

const unguarded = 'alter table ledger_accounts drop constraint balance_not_negative'

test('intact books pass the audit, and the report says so', async () => {
  const report = await runAudit(books.db, ledgerInvariants)
  expect(report).toMatchObject({ passed: true })
  expect(report.invariants.map(({ number }) => number)).toEqual([1, 2, 3, 4, 12, 16, 22, 23, 30])
  expect(formatReport(report)).toContain('All invariants hold.')
})

test('empty books pass the audit', async () => {
  const empty = await createTestLedger()
  expect(formatReport(await runAudit(empty.db, ledgerInvariants))).toContain('All invariants hold.')
  await empty.close()
})

const corruptions: [number, string, string[]][] = [
  [1, 'an entry with a changed amount', [`update ledger_entries set amount = amount + 1 where account_id = ${wallet}`]],
  [1, 'a deleted entry', [`delete from ledger_entries where account_id = ${wallet}`]],
  [
    1,
    'two postings that only balance together',
    [
      `update ledger_entries set amount = amount + 1 where account_id = ${userAccount(1, 'wallet')}`,
      `update ledger_entries set amount = amount - 1 where account_id = ${userAccount(2, 'wallet')}`,
    ],
  ],
  [
    2,
    'money shifted between two balances',
    [
      `update ledger_accounts set balance = balance + 1 where id = ${wallet}`,
      `update ledger_accounts set balance = balance - 1 where id = ${userAccount(2, 'wallet')}`,
    ],
  ],
  [2, 'a wrong running balance', [`update ledger_entries set balance_after = 1 where account_id = ${wallet}`]],
  [2, 'a skipped version', [`update ledger_entries set version = 7 where account_id = ${wallet}`]],
  [2, 'a deleted account', [`delete from ledger_accounts where id = ${wallet}`]],
  [3, 'a user account below zero', [unguarded, `update ledger_accounts set balance = -1 where id = ${wallet}`]],
  [4, 'money created out of nothing', [`update ledger_accounts set balance = balance + 1 where id = ${wallet}`]],
  [
    12,
    'a posting applied twice',
    [
      `insert into ledger_entries select account_id, version + 1000, amount, balance_after + 1, posted_at, kind, reference
       from ledger_entries where kind = 'chain_deposit'`,
    ],
  ],
  [
    12,
    'an idempotency key without entries',
    [`insert into ledger_postings values ('transfer', 2, new_id(), null, null)`],
  ],
  [12, 'entries without an idempotency key', [`delete from ledger_postings where kind = 'operator_deposit'`]],
  [16, 'a pool that was once below zero', [`update ledger_entries set balance_after = -1 where account_id = ${pool}`]],
  [16, "a pool funded with users' money", [`update ledger_entries set kind = 'transfer' where account_id = ${pool}`]],
  [22, 'a rewritten reason in the audit log', [`update audit_log set why = 'another' where what = 'second'`]],
  [22, 'a deleted row of the audit log', [`delete from audit_log where what = 'second'`]],
  [23, 'an extra privilege', ['grant update on ledger_entries to wellplay_app']],
  [23, 'a disabled trigger', ['alter table audit_log disable trigger append_only']],
  [23, 'a dropped trigger', ['drop trigger append_only on ledger_postings']],
]

const ages = [
  ['without a checkpoint', () => books],
  ['in rows newer than the checkpoint', () => fresh],
  ['in sealed rows, when their slice is read again', () => sealed],
] as const

describe.each(ages)('%s', (_age, booksOf) => {
  test.each(corruptions)('invariant %i reports %s', async (number, _what, statements) => {
    const report = await auditAfter(createDb(booksOf().owner), statements, ledgerInvariants)
    expect(report.passed).toBe(false)
    expect(report.invariants.find((invariant) => invariant.number === number)?.findings).not.toEqual([])
    expect(formatReport(report)).toMatch(new RegExp(`^ +${number}  .*BROKEN`, 'm'))
  })
})

test('a broken invariant pauses payouts and bets and says why, until the audit passes again', async () => {
  const { db } = books
  await books.owner.query(`update ledger_accounts set balance = balance + 1 where id = ${wallet}`)
  await auditAndHalt(db, ledgerInvariants)
  await auditAndHalt(db, ledgerInvariants)
  await expect(requireRunning(db)).rejects.toMatchObject({
    code: 'halted',
    message: expect.stringMatching(/: 2\. Every cached balance equals its entries; 4\. All accounts sum to 0\.$/),
  })
  await books.owner.query(`update ledger_accounts set balance = balance - 1 where id = ${wallet}`)
  await auditAndHalt(db, ledgerInvariants)
  await expect(requireRunning(db)).resolves.toBeUndefined()
  const log = await db
    .selectFrom('audit_log')
    .select(['who', 'what'])
    .where('who', '=', 'audit')
    .orderBy('id')
    .execute()
  expect(log.map(({ what }) => what)).toEqual(['halt payouts and bets', 'resume payouts and bets'])
})

test('the reason of a halt stays short: it names two broken invariants and counts the others', async () => {
  const empty = await createTestLedger()
  const broken = (number: number): Invariant => ({ number, name: `Rule ${number}`, check: async () => ['broken'] })
  await auditAndHalt(empty.db, [91, 92, 93, 94].map(broken))
  expect(await findHalt(empty.db)).toMatchObject({
    reason: 'The audit found broken invariants: 91. Rule 91; 92. Rule 92; and 2 more.',
  })
  expect(await findLastAudit(empty.db)).toMatchObject({ broken: [91, 92, 93, 94] })
  await empty.close()
})

test("a passing audit does not lift an operator's halt", async () => {
  const { db } = books
  await transaction(db, (tx) => halt(tx, 'operator', 'moving house'))
  await auditAndHalt(db, ledgerInvariants)
  expect(await findHalt(db)).toMatchObject({ source: 'operator', reason: 'moving house' })
})

test('the audit reads one snapshot while postings continue', async () => {
  const { db, ledger } = books
  const busy = Array.from({ length: 300 }, (_, at) =>
    ledger.submit({
      kind: 'transfer',
      reference: crypto.randomUUID(),
      movements: [
        {
          from: userAccount((at % 3) + 1, 'wallet'),
          to: userAccount(((at + 1) % 3) + 1, 'wallet'),
          amount: parseUsdt('0.01'),
        },
      ],
    }),
  )
  const reports = await Promise.all([1, 2, 3].map(() => runAudit(db, ledgerInvariants)))
  await Promise.all(busy)
  expect(reports.map(formatReport).filter((text) => text.includes('BROKEN'))).toEqual([])
})

const failing = (check: Invariant['check']): Invariant => ({ number: 99, name: 'A check that fails', check })

test('a check that throws is unchecked, stops no other check, halts nothing and lifts no halt', async () => {
  const empty = await createTestLedger()
  const { db } = empty
  const broken = failing((tx) => sql`select 1 / 0`.execute(tx).then(() => []))
  const report = await auditAndHalt(db, [broken, ...ledgerInvariants])
  expect(report.invariants.filter(({ outcome }) => outcome !== 'held')).toEqual([
    expect.objectContaining({ number: 99, outcome: 'unchecked', findings: ['division by zero'] }),
  ])
  expect(await findHalt(db)).toBeUndefined()
  expect(await findLastAudit(db)).toMatchObject({ broken: [], unchecked: [99], completeAt: null })
  await transaction(db, (tx) => halt(tx, 'audit', 'the audit before found something'))
  await auditAndHalt(db, [broken, ...ledgerInvariants])
  expect(await findHalt(db)).toMatchObject({ source: 'audit' })
  await empty.close()
})

test('what could not be checked is tried again in the same run', async () => {
  let calls = 0
  const flaky = failing(async () => {
    if (++calls < 3) throw new Error('no answer')
    return []
  })
  expect(await runAudit(books.db, [flaky])).toMatchObject({ passed: true, invariants: [{ outcome: 'held' }] })
  expect(calls).toBe(3)
})

test('an audit that loses its connection reports what it could not check', async () => {
  const cut = failing(async (tx) => {
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
    return []
  })
  const report = await runAudit(books.db, [...ledgerInvariants, cut])
  expect(report.invariants.filter(({ outcome }) => outcome === 'unchecked').map(({ number }) => number)).toEqual([99])
})
