import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { User } from '../../context.ts'
import { createDb, createPool } from '../../platform/db.ts'
import { startPaymentChain } from '../../testing/chain.ts'
import { createTestTable } from '../../testing/colour.ts'
import { createTestDatabase, runAsOwner } from '../../testing/database.ts'
import { aRichUser } from '../../testing/rich-user.ts'
import { countUserRows, listColumns, listUserTables } from '../../testing/user-rows.ts'
import { parts } from './parts.ts'
import { listRecords } from './records.ts'
import { unrelated, withheld } from './withheld.ts'

const exported = [...new Set(Object.values(parts).map(({ table }) => table))]

let table: Awaited<ReturnType<typeof createTestTable>>
let node: Awaited<ReturnType<typeof startPaymentChain>>
let rich: Awaited<ReturnType<typeof aRichUser>>
beforeAll(async () => {
  node = await startPaymentChain()
  table = await createTestTable({ settings: node.settings })
  rich = await aRichUser(table, node)
})
afterAll(async () => {
  await table.close()
  await node.stop()
})

test('every table of the schema is exported, withheld with a reason, or has no rows about users', async () => {
  const named = [...exported, ...Object.keys(withheld), ...unrelated]
  expect(named.filter((name, at) => named.indexOf(name) !== at)).toEqual([])
  const tables = (await listColumns(table.context.db)).map((column) => column.table)
  expect(named.toSorted()).toEqual([...new Set(tables)].toSorted())
  expect(Object.values(withheld).filter((reason) => reason.length < 20)).toEqual([])
})

test('no table that names a user, or refers to one that does, counts as unrelated to users', async () => {
  const related = await listUserTables(table.context.db)
  expect(unrelated.filter((name) => related.includes(name))).toEqual([])
})

test('a new table with a user’s number, address or name, or a reference to their rows, is found', async () => {
  const database = await createTestDatabase()
  const db = createDb(createPool(database.appUrl, 2))
  const planted = {
    by_number: 'user_number int',
    by_wallet: 'wallet evm_address',
    by_address: 'paid_to evm_address',
    by_name: 'shown_name username',
    by_code: 'invited_with referral_code',
    by_game: 'game uuid references quiz_games (id)',
  }
  try {
    for (const [name, column] of Object.entries(planted))
      await runAsOwner(database.ownerUrl, `create table ${name} (${column})`)
    await runAsOwner(database.ownerUrl, 'alter table by_game add primary key (game)')
    await runAsOwner(database.ownerUrl, 'create table by_game_of_game (of uuid references by_game (game))')
    const listed = new Set([...exported, ...Object.keys(withheld)])
    const unnamed = (await listUserTables(db)).filter((name) => !listed.has(name))
    expect(unnamed).toEqual([...Object.keys(planted), 'by_game_of_game'].toSorted())
  } finally {
    await db.destroy()
    await database.drop()
  }
})

test('the export of a user who has used every feature has each of their rows, table by table', async () => {
  const { db } = table.context
  const user = { ...rich, walletAddress: rich.wallet.address } as unknown as User
  const counts: Record<string, number> = {}
  for (let from: Awaited<ReturnType<typeof listRecords>>['next'] | undefined; from !== null; ) {
    const reply: Awaited<ReturnType<typeof listRecords>> = await listRecords(db, user, from)
    for (const [part, rows] of Object.entries(reply.data)) {
      const name = parts[part]?.table ?? part
      counts[name] = (counts[name] ?? 0) + rows.length
    }
    from = reply.next
  }
  expect(Object.keys(counts).filter((name) => counts[name] === 0)).toEqual([])
  const expected = await countUserRows(db, { ...rich, wallet_address: rich.wallet.address })
  const { rows } = await sql<{ entries: number; open_moves: number }>`
    select (select count(*)::int from ledger_entries where account_id / 16 = ${rich.number}) as entries,
      (select count(*)::int from quiz_events e join quiz_games g on g.id = e.game_id
        where g.user_number = ${rich.number} and g.ended_at is null) as open_moves`.execute(db)
  const { entries = 0, open_moves = 0 } = rows[0] ?? {}
  expect(open_moves).toBeGreaterThan(0)
  const own = Object.fromEntries(exported.map((name) => [name, expected[name]]))
  // The number of an entry's user is part of its account. Moves of the open game are withheld.
  expect(counts).toEqual({ ...own, ledger_entries: entries, quiz_events: (own['quiz_events'] ?? 0) - open_moves })
})

test('rows about a user in tables outside the export are only in those that it names with a reason', async () => {
  const found = await countUserRows(table.context.db, { ...rich, wallet_address: rich.wallet.address })
  const outside = Object.keys(found).filter((name) => (found[name] ?? 0) > 0 && !exported.includes(name))
  expect(outside.length).toBeGreaterThan(0)
  expect(outside.filter((name) => !(name in withheld))).toEqual([])
})
