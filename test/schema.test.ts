import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dumpSchema, SCHEMA_FILE } from '../scripts/schema.ts'
import { createTestDatabase, type TestDatabase } from '../src/server/testing/database.ts'

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

test('migrations/schema.sql matches the database that the migrations create', async () => {
  const reminder = 'migrations/schema.sql does not match the migrations. Run `npm run schema`.'
  expect(await dumpSchema(client), reminder).toBe(readFileSync(SCHEMA_FILE, 'utf8'))
})

test.each([
  'alter table users add column nickname text',
  'alter table users alter column points set default 1',
  'alter table users alter column path drop not null',
  'alter table transfers drop constraint transfers_check',
  'drop index users_path',
  'drop trigger append_only on audit_log',
  'alter table audit_log disable trigger append_only',
  'grant delete on ledger_entries to wellplay_app',
  'grant update (amount) on ledger_entries to public',
  'grant execute on function ledger_post to public',
  'revoke usage on sequence users_number_seq from wellplay_api',
  'alter function ledger_post reset search_path',
  'alter function ledger_post security invoker',
  'create or replace function ledger_custody() returns bigint language sql immutable parallel safe return 0',
  `alter type colour add value 'blue'`,
  `alter domain username add constraint short check (length(value) < 10)`,
  'alter table ledger_accounts set (fillfactor = 50)',
  'alter view colour_results set (security_invoker = true)',
  'alter view colour_results rename column payout to paid',
])('the schema dump shows this change: %s', async (change) => {
  const before = await dumpSchema(client)
  await client.query('begin')
  try {
    await client.query(change)
    expect(await dumpSchema(client)).not.toBe(before)
  } finally {
    await client.query('rollback')
  }
})
