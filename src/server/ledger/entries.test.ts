import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, type Day, dayOf } from '../../protocol/time.ts'
import { createDb, createPool, type Db } from '../platform/db.ts'
import { countDays, countRows, startOf } from '../platform/history-days.ts'
import { createOwnerPool, createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { userAccount } from './accounts.ts'
import { entriesOf, isEntryOf } from './entries.ts'

const ACCOUNT = userAccount(1, 'wallet')
const ENTRIES = 4_000
const DAYS = 400

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await createTestDatabase()
  db = createDb(createPool(database.urls.api, 2))
  const owner = createOwnerPool(database.ownerUrl)
  // About ten entries a day, none in the middle third of the time, each up to half a day before or after its turn.
  await owner.query(`
    set session_replication_role = replica;
    insert into ledger_accounts (id, balance, version) values (${ACCOUNT}, ${ENTRIES}, ${ENTRIES});
    insert into ledger_entries (account_id, version, amount, balance_after, posted_at, kind, reference)
    select ${ACCOUNT}, n, 1, n,
      now() - interval '1 day' * (${DAYS} * (1 - n::float8 / ${ENTRIES}) + case when n < ${ENTRIES / 2} then ${DAYS} else 2 end)
        + interval '12 hours' * (hashint4(n) / 2147483648.0), 'chain_deposit', new_id()
    from generate_series(1, ${ENTRIES}) as n;
    analyze ledger_entries`)
  await owner.end()
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const ago = (days: number): Day => addDays(dayOf(new Date()), -days)
const ofDays = (from: Day, to: Day) => sql`
  e.posted_at >= ${startOf(from)}::timestamptz and e.posted_at < ${startOf(addDays(to, 1))}::timestamptz`

test('the entries of some days are all found, without counted days and without an index on time', async () => {
  for (let age = 2 * DAYS + 3; age >= 0; age -= 13) {
    const [from, to] = [ago(age), ago(age - 20)]
    const { rows } = await sql<{ all: bigint; found: bigint }>`
      select count(*) as all, count(*) filter (where ${isEntryOf(ACCOUNT, { from, to })}) as found
      from ledger_entries e where e.account_id = ${ACCOUNT} and ${ofDays(from, to)}`.execute(db)
    expect([age, rows[0]?.found]).toEqual([age, rows[0]?.all])
  }
})

test('the end of some days is found without reading the entries after them', async () => {
  const [from, to] = [ago(2 * DAYS), ago(2 * DAYS - 30)]
  const { rows } = await sql<{ read: bigint; inside: bigint }>`
    select count(*) as read, count(*) filter (where ${ofDays(from, to)}) as inside
    from ledger_entries e where ${isEntryOf(ACCOUNT, { from, to })}`.execute(db)
  const { read = 0n, inside = 0n } = rows[0] ?? {}
  expect(inside).toBeGreaterThan(250n)
  // Two more days, with up to half a day before and after them.
  expect(read - inside).toBeLessThan(50n)
})

test('PostgreSQL expects few entries after counted days, so it starts no workers to read them', async () => {
  const entries = entriesOf(ACCOUNT)
  await countDays(db, entries, await countRows(db, entries, {}, {}), Number.POSITIVE_INFINITY)
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select from ledger_entries e where ${isEntryOf(ACCOUNT, { from: ago(1) })}`.execute(db)
  expect(rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows']).toBeLessThan(200)
})
