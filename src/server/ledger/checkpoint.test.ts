import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseUsdt } from '../../protocol/money.ts'
import { createDb, newId, transaction } from '../platform/db.ts'
import { sealAll, WHOLE_WINDOW } from '../testing/corruption.ts'
import { createTestLedger } from '../testing/ledger.ts'
import { userAccount } from './accounts.ts'
import { type AuditReport, auditAndHalt, type Invariant, runAudit, withOutcome } from './audit.ts'
import { findHalt, halt } from './halt.ts'
import { ledgerInvariants } from './invariants.ts'
import { post } from './post.ts'

let books: Awaited<ReturnType<typeof createTestLedger>>
beforeEach(async () => {
  books = await createTestLedger()
  await books.openUsers(2, 'wallet', parseUsdt('100'))
})
afterEach(() => books.close())

const [anna, ben] = [userAccount(1, 'wallet'), userAccount(2, 'wallet')]
const aTransfer = () =>
  ({ kind: 'transfer', reference: newId(), movements: [{ from: anna, to: ben, amount: parseUsdt('1') }] }) as const
const transfer = () => transaction(books.db, (tx) => post(tx, aTransfer()))
const audit = (pace = WHOLE_WINDOW, extra: Invariant[] = []) =>
  auditAndHalt(books.db, [...ledgerInvariants, ...extra], { pace })
const checkpoint = () => books.db.selectFrom('ledger_checkpoint').selectAll().executeTakeFirstOrThrow()
const seals = () => books.db.selectFrom('ledger_seals').selectAll().orderBy('id').execute()
const unguarded = (text: string) =>
  books.owner.query(`begin; set local session_replication_role = replica; ${text}; commit`)
const brokenIn = (report: AuditReport) => withOutcome(report, 'broken').map(({ number }) => number)
/** A transaction that can take its id long before it posts. */
async function begin() {
  const tx = await books.db.startTransaction().execute()
  async function takeId(): Promise<bigint> {
    const { rows } = await sql<{ id: bigint }>`select pg_current_xact_id()::text::bigint as id`.execute(tx)
    return rows[0]?.id ?? 0n
  }
  async function commit(posting?: ReturnType<typeof aTransfer>) {
    if (posting) await post(tx, posting)
    await tx.commit().execute()
  }
  return { takeId, commit }
}
const during = (run: () => Promise<unknown>): Invariant => ({
  number: 99,
  name: 'Something happens meanwhile',
  check: async () => {
    await run()
    return []
  },
})

test('old history is read again within the window, and what changed there is broken until it is repaired', async () => {
  for (let count = 0; count < 5; count++) {
    await transfer()
    await sealAll(books.db, ledgerInvariants)
  }
  const window = { windowAudits: 3, sliceEntries: 20_000, sealMinutes: 60 }
  const set = (sign: string) =>
    unguarded(`update ledger_entries set posted_at = posted_at ${sign} interval '1 hour' where account_id = ${ben}
      and version = 3`)
  await set('+')
  const found: number[][] = []
  for (let count = 0; count < window.windowAudits; count++) found.push(brokenIn(await audit(window)))
  expect(found.at(-1)).toEqual([30])
  expect(brokenIn(await audit(window))).toEqual([30])
  expect(await findHalt(books.db)).toMatchObject({ source: 'audit' })
  await set('-')
  expect(brokenIn(await audit(window))).toEqual([])
  expect(await findHalt(books.db)).toBeUndefined()
})

test('the audits of one window read every slice, also while new ones are added', async () => {
  for (let count = 0; count < 4; count++) {
    await transfer()
    await sealAll(books.db, ledgerInvariants)
  }
  const window = { ...WHOLE_WINDOW, windowAudits: 3 }
  for (const { id } of await seals()) {
    await unguarded(`update ledger_seals set entries = entries + 1 where id = ${id}`)
    const broken = new Set<number>()
    for (let count = 0; count < window.windowAudits; count++) {
      await transfer()
      for (const number of brokenIn(await audit(window))) broken.add(number)
    }
    expect([...broken]).toEqual([30])
    await unguarded(`update ledger_seals set entries = entries - 1 where id = ${id}`)
  }
})

test('a slice is sealed when it is full or old, not before', async () => {
  await sealAll(books.db, ledgerInvariants)
  const before = (await seals()).length
  await transfer()
  await audit({ windowAudits: 1, sliceEntries: 20_000, sealMinutes: 60 })
  expect(await seals()).toHaveLength(before)
  await sealAll(books.db, ledgerInvariants)
  expect((await seals()).length).toBeGreaterThan(before)
})

test('every entry and posting is in exactly one slice, and each seal continues the one before it', async () => {
  for (let count = 0; count < 3; count++) await transfer()
  await sealAll(books.db, ledgerInvariants)
  const rows = await seals()
  expect(rows[0]?.tx_from).toBe(0n)
  for (const [at, { tx_from }] of rows.entries()) expect(tx_from).toBe(rows[at - 1]?.tx_to ?? 0n)
  const { rows: written } = await sql<{ count: bigint }>`select count(*) as count from ledger_entries`.execute(books.db)
  expect(rows.reduce((sum, { entries }) => sum + entries, 0n)).toBe(written[0]?.count)
})

test('a transaction that was open during an audit is checked and sealed after it has ended', async () => {
  await sealAll(books.db, ledgerInvariants)
  const slow = await createDb(books.owner).startTransaction().execute()
  await sql`set local session_replication_role = replica`.execute(slow)
  await sql`insert into ledger_entries values (${anna}, 7, 1, 1, now(), 'transfer', new_id())`.execute(slow)
  await transfer()
  expect((await audit()).passed).toBe(true)
  await slow.commit().execute()
  expect(brokenIn(await audit())).toEqual(expect.arrayContaining([1, 2, 12]))
})

test('an entry is not sealed before an earlier one of its account, although its transaction began first', async () => {
  const [first, running, second] = await Promise.all([begin(), begin(), begin()])
  for (const { takeId } of [first, running, second]) await takeId()
  await second.commit(aTransfer())
  await first.commit(aTransfer())
  const passed = [(await audit()).passed, (await audit()).passed]
  await running.commit()
  await sealAll(books.db, ledgerInvariants)
  expect([...passed, (await audit()).passed]).toEqual([true, true, true])
})

test('slices are sealed up to the oldest running transaction and not beyond, and each ends after the one before', async () => {
  const seal = async (...ends: bigint[]) => {
    const digests = ends.map(() => Buffer.alloc(32))
    await sql`select ledger_seal(${ends}::bigint[], ${ends.map(() => 0)}::bigint[], ${digests}::bytea[])`.execute(
      books.db,
    )
  }
  const running = await begin()
  const id = await running.takeId()
  const { tx_to: start } = await checkpoint()
  // Other tests run transactions in the same cluster, and the oldest of them may be one of those.
  const { rows } = await sql<{ oldest: bigint }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest`.execute(books.db)
  const { oldest = 0n } = rows[0] ?? {}
  const attempts = [[id + 1n], [oldest, id + 1n], [oldest, oldest], [start], [oldest, start]]
  const outcomes = await Promise.allSettled(attempts.map((ends) => seal(...ends)))
  await running.commit()
  const before = await seals()
  await seal(oldest - 1n, oldest)
  const said = outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'sealed'))
  expect(said).toEqual(attempts.map(() => expect.stringContaining('cannot seal')))
  expect(before).toEqual([])
  expect((await seals()).map(({ tx_from, tx_to }) => [tx_from, tx_to])).toEqual([
    [start, oldest - 1n],
    [oldest - 1n, oldest],
  ])
})

test('seals that were moved or forged are found', async () => {
  await transfer()
  await sealAll(books.db, ledgerInvariants)
  const forgeries = [
    'update ledger_seals set digest = hash where id = 1',
    'update ledger_seals set hash = digest where id = 1',
    'update ledger_seals set entries = entries + 1 where id = 1',
    'update ledger_seals set tx_from = 1 where id = 1',
    'update ledger_heads set balance = balance + 1 where account_id = 35',
    'delete from ledger_heads where account_id = 35',
  ]
  for (const forgery of forgeries) {
    await unguarded(`create table kept_seals as table ledger_seals; create table kept_heads as table ledger_heads;
      ${forgery}`)
    expect(brokenIn(await runAudit(books.db, ledgerInvariants, { pace: WHOLE_WINDOW })), forgery).not.toEqual([])
    await unguarded(`delete from ledger_seals; insert into ledger_seals table kept_seals; delete from ledger_heads;
      insert into ledger_heads table kept_heads; drop table kept_seals, kept_heads`)
  }
  expect((await audit()).passed).toBe(true)
})

test('an audit that began before another one was stored lifts no halt and seals nothing', async () => {
  await transfer()
  const before = await seals()
  const other = during(() =>
    transaction(books.db, async (tx) => {
      const { rows } = await sql<{ counted: boolean }>`
        select ledger_count_audit(audits) as counted from ledger_checkpoint`.execute(tx)
      expect(rows).toEqual([{ counted: true }])
      await halt(tx, 'audit', 'a later snapshot is broken')
    }),
  )
  expect((await audit(WHOLE_WINDOW, [other])).passed).toBe(true)
  expect(await findHalt(books.db)).toMatchObject({ reason: 'a later snapshot is broken' })
  expect(await seals()).toEqual(before)
  await audit()
  expect(await findHalt(books.db)).toBeUndefined()
  expect((await seals()).length).toBeGreaterThan(before.length)
})

test('one audit runs at a time', async () => {
  let running = 0
  const most: number[] = []
  const watch = during(async () => {
    most.push(++running)
    await transfer()
    running--
  })
  await Promise.all([1, 2, 3, 4].map(() => audit(WHOLE_WINDOW, [watch])))
  expect(most).toEqual([1, 1, 1, 1])
  // One that begins between the end of another and the moment when that is stored is not counted.
  expect((await checkpoint()).audits).toBeGreaterThan(0n)
})

test('in a restored dump, the audit reads everything and starts with new seals', async () => {
  await transfer()
  await sealAll(books.db, ledgerInvariants)
  const old = (await seals()).length
  // The ids of another cluster are higher, so its checkpoint covers rows that this one has not written yet.
  await unguarded(`update ledger_checkpoint set system_identifier = 1, tx_to = tx_to + 1000000;
    update ledger_entries set posted_at = now() where account_id = ${ben} and version = 1;
    update ledger_accounts set balance = balance + 1 where id = ${ben}`)
  expect(brokenIn(await audit())).toEqual([2, 4])
  expect(await seals()).toHaveLength(old)
  await books.owner.query(`update ledger_accounts set balance = balance - 1 where id = ${ben}`)
  await sealAll(books.db, ledgerInvariants)
  expect(await checkpoint()).toMatchObject({ first_seal: BigInt(old + 1) })
  await transfer()
  expect((await audit()).passed).toBe(true)
})

test('a full audit finds what changed in old history at once', async () => {
  for (let count = 0; count < 3; count++) {
    await transfer()
    await sealAll(books.db, ledgerInvariants)
  }
  await unguarded(`update ledger_entries set posted_at = now() where account_id = ${ben} and version = 2`)
  expect(brokenIn(await runAudit(books.db, ledgerInvariants, { isFull: true }))).toEqual([30])
})
