import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../../../protocol/money.ts'
import { records } from '../../../protocol/records.ts'
import { support } from '../../../protocol/support.ts'
import { users } from '../../../protocol/users.ts'
import { wellness } from '../../../protocol/wellness.ts'
import { transaction } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { fillAccount } from '../../testing/ledger.ts'
import { transfer } from '../../testing/payments.ts'
import { parts } from './parts.ts'
import { ROWS_MAX } from './records.ts'
import { unrelated, withheld } from './withheld.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.close())

const exportedTables = () => [...new Set(Object.values(parts).map(({ table }) => table))]

const listColumns = async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`.execute(
    api.context.db,
  )
  return rows
}

/** Each foreign key: the table that has it, and the table that it refers to. */
const listReferences = async () => {
  const { rows } = await sql<{ table: string; target: string }>`
    select conrelid::regclass::text as table, confrelid::regclass::text as target
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`.execute(api.context.db)
  return rows
}

async function collect(token: string): Promise<Record<string, Record<string, unknown>[]>> {
  const all: Record<string, Record<string, unknown>[]> = {}
  for (let from: { part: string; offset: number } | null = null; ; ) {
    const reply: Awaited<ReturnType<typeof readPage>> = await readPage(token, from)
    for (const [name, rows] of Object.entries(reply.data)) all[name] = [...(all[name] ?? []), ...rows]
    if (!reply.next) return all
    from = reply.next
  }
}
const readPage = (token: string, from: { part: string; offset: number } | null) =>
  api.call(records.list, from ? { from } : {}, token)

test('every table of the schema is exported, withheld with a reason, or has no rows about users', async () => {
  const named = [...exportedTables(), ...Object.keys(withheld), ...unrelated]
  expect(named.filter((name, at) => named.indexOf(name) !== at)).toEqual([])
  expect(named.toSorted()).toEqual([...new Set((await listColumns()).map(({ table }) => table))].toSorted())
  expect(Object.values(withheld).filter((reason) => reason.length < 20)).toEqual([])
})

test('no table that names a user, or refers to one that does, counts as unrelated to users', async () => {
  const naming = (await listColumns())
    .filter(({ column }) => /^(user_number|from_number|to_number|username|wallet_address|ancestors)$/.test(column))
    .map(({ table }) => table)
  const related = new Set(['users', ...naming])
  const references = await listReferences()
  for (let before = -1; before < related.size; ) {
    before = related.size
    for (const { table, target } of references) if (related.has(target)) related.add(table)
  }
  expect(unrelated.filter((table) => related.has(table))).toEqual([])
})

test('omitted columns exist, and no exported column holds a secret or the number of another user', async () => {
  const columns = await listColumns()
  for (const { table, omit = [] } of Object.values(parts)) {
    const own = columns.filter((each) => each.table === table).map(({ column }) => column)
    expect(own).toEqual(expect.arrayContaining([...omit]))
    const shown = own.filter((column) => !omit.includes(column))
    expect(shown.filter((column) => /token|seed|path|sponsor_number|to_number|ancestors/.test(column))).toEqual([])
  }
})

test('a user gets their own rows, and nothing about anybody else', async () => {
  const [anna, ben] = [await aUser(api), await aUser(api)]
  for (const { token, username } of [anna, ben]) {
    await api.call(wellness.log, { kind: 'steps', steps: 123 }, token)
    await api.call(support.open, { topic: 'other', subject: `From ${username}`, text: `I am ${username}` }, token)
  }
  await transaction(api.context.db, (tx) => fillAccount(tx, anna.number, 'wallet', parseUsdt('50')))
  await transfer(api, anna, ben, '20')
  const [hers, his] = [await collect(anna.token), await collect(ben.token)]
  expect(hers['users']).toMatchObject([{ username: anna.username, sponsor: null }])
  expect(hers['wellness_entries']).toMatchObject([{ amount: 123, user_number: anna.number }])
  expect(hers['support_messages']).toMatchObject([{ text: `I am ${anna.username}` }])
  expect(hers['transfers_sent']).toMatchObject([{ from: anna.username, to: ben.username, amount: 20_000_000 }])
  expect(hers['ledger_entries']).toMatchObject([{ account: 'wallet' }, { account: 'wallet', amount: -20_000_000 }])
  expect(his['transfers_received']).toMatchObject([{ from: anna.username, to: ben.username }])
  expect(his['transfers_received']?.[0]).not.toHaveProperty('signature')
  expect(his['transfers_sent']).toEqual([])
  const { transfers_sent: _, ...others } = hers
  expect(JSON.stringify(others)).not.toContain(ben.username)
  expect(
    Object.values(others)
      .flat()
      .filter((row) => row['user_number'] === ben.number),
  ).toEqual([])
})

test('a history longer than one reply is complete, without a row twice', async () => {
  const { token, number } = await aUser(api)
  const rows = ROWS_MAX * 2 + 10
  await sql`insert into point_awards (user_number, source, reference, points, awarded_at)
    select ${number}::int, 'challenge', 'day ' || at, 1, now() from generate_series(1, ${rows}::int) at`.execute(
    api.context.db,
  )
  expect((await readPage(token, null)).next).not.toBeNull()
  const references = (await collect(token))['point_awards']?.map(({ reference }) => reference)
  expect(references).toHaveLength(rows)
  expect(new Set(references).size).toBe(rows)
})

test('an unknown part is not found, and records need a signed-in user', async () => {
  const { token } = await aUser(api)
  await expect(readPage(token, { part: 'quiz_keys', offset: 0 })).rejects.toThrow('not_found')
  await expect(api.call(records.list, {})).rejects.toThrow('unauthenticated')
  expect((await api.call(users.me, {}, token)).status).toBe('success')
})
