import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../../../protocol/money.ts'
import { records } from '../../../protocol/records.ts'
import { support } from '../../../protocol/support.ts'
import { users } from '../../../protocol/users.ts'
import { wellness } from '../../../protocol/wellness.ts'
import type { User } from '../../context.ts'
import { transaction } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { fillAccount } from '../../testing/ledger.ts'
import { transfer } from '../../testing/payments.ts'
import { listColumns } from '../../testing/user-rows.ts'
import { parts } from './parts.ts'
import { listRecords, ROWS_MAX } from './records.ts'
import { partlyWithheld } from './withheld.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.close())

async function collect(token: string): Promise<Record<string, Record<string, unknown>[]>> {
  const all: Record<string, Record<string, unknown>[]> = {}
  for (let from: { part: string; after: string[] } | null = null; ; ) {
    const reply: Awaited<ReturnType<typeof readPage>> = await readPage(token, from)
    for (const [name, rows] of Object.entries(reply.data)) all[name] = [...(all[name] ?? []), ...rows]
    if (!reply.next) return all
    from = reply.next
  }
}
const readPage = (token: string, from: { part: string; after: string[] } | null) =>
  api.call(records.list, from ? { from } : {}, token)

test('omitted columns exist and have a reason, and no exported column holds a secret or the number of another user', async () => {
  const columns = await listColumns(api.context.db)
  for (const [part, { table, omit = [] }] of Object.entries(parts)) {
    if (omit.length > 0) expect(partlyWithheld).toHaveProperty(part)
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

test('rows with equal times are each exported once, and every part accepts the key of a row', async () => {
  const { token, number } = await aUser(api)
  const db = api.context.db
  await sql`insert into wellness_entries (id, user_number, day_on, kind, amount, detail, parts, source, created_at)
    select gen_random_uuid(), ${number}::int, now()::date, 'steps', n, '', '{}', 'manual', now() - interval '1 microsecond' * (n / 3)
    from generate_series(1, ${ROWS_MAX + 7}::int) n`.execute(db)
  const amounts = (await collect(token))['wellness_entries']?.map(({ amount }) => amount as number)
  expect(amounts?.toSorted((a, b) => a - b)).toEqual(Array.from({ length: ROWS_MAX + 7 }, (_, at) => at + 1))
  const user = { number, walletAddress: `0x${'1'.repeat(40)}` } as User
  for (const [part, { order }] of Object.entries(parts)) {
    const { key } = await firstKey(part, order)
    if (key) await listRecords(db, user, { part, after: key })
  }
})

/** A key of any user's row of a part. */
async function firstKey(part: string, order: readonly string[]): Promise<{ key?: string[] }> {
  const texts = order.map((column) => sql`t.${sql.ref(column)}::text`)
  const { rows } = await sql<{ key: string[] }>`
    select array[${sql.join(texts)}] as key from ${sql.table(parts[part]?.table ?? '')} t limit 1`.execute(
    api.context.db,
  )
  return rows[0] ?? {}
}

test('rows that are added or removed while an export runs do not hide or repeat others', async () => {
  const { token, number } = await aUser(api)
  const add = (from: number, to: number) =>
    sql`insert into point_awards (user_number, source, reference, points)
    select ${number}::int, 'challenge', lpad(n::text, 6, '0'), 1 from generate_series(${from}::int, ${to}::int) n`.execute(
      api.context.db,
    )
  await add(1_000, 1_000 + ROWS_MAX)
  const first = await readPage(token, { part: 'point_awards', after: [] })
  await add(1, 10)
  const rest = await readPage(token, first.next)
  const references = [first, rest].flatMap(({ data }) => data['point_awards']?.map(({ reference }) => reference) ?? [])
  expect(references).toHaveLength(ROWS_MAX + 1)
  expect(new Set(references).size).toBe(ROWS_MAX + 1)
})

test.each([[['x']], [['x', 'y', 'z']], [['2026-01-01', 'no uuid']], [['2026-13-01', '0']]])(
  'the key %j, which no row can have, is refused',
  async (after) => {
    const { token } = await aUser(api)
    await expect(readPage(token, { part: 'wellness_entries', after })).rejects.toThrow('invalid_input')
  },
)

test('an unknown part is not found, and records need a signed-in user', async () => {
  const { token } = await aUser(api)
  await expect(readPage(token, { part: 'quiz_keys', after: [] })).rejects.toThrow('not_found')
  await expect(api.call(records.list, {})).rejects.toThrow('unauthenticated')
  expect((await api.call(users.me, {}, token)).status).toBe('success')
})
