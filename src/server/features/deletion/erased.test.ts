import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deletion } from '../../../protocol/deletion.ts'
import { keptRecords } from '../../../protocol/deletion-kept.ts'
import { support } from '../../../protocol/support.ts'
import { newId } from '../../platform/db.ts'
import { aUser } from '../../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../../testing/chain.ts'
import { createTestTable, type TestTable } from '../../testing/colour.ts'
import { deleteUser, readLeft, settleUser } from '../../testing/deletion.ts'
import type { TestUser } from '../../testing/payments.ts'
import { aRichUser } from '../../testing/rich-user.ts'
import { countUserRows, listColumns } from '../../testing/user-rows.ts'
import { unrelated, withheld } from '../records/withheld.ts'

/** Deletes a user who has used every feature, and searches every column of every table for them. */
let node: PaymentChain
let table: TestTable
let user: TestUser
let before: Record<string, number>
let obstacles: string[]

/** Texts that only this user has, in the tables that hold personal data. */
const texts = {
  email: 'very.personal@example.org',
  chat: '987654321012',
  device: 'Personal Phone 77',
  message: 'my secret diary entry',
  country: 'QX',
  endpoint: 'https://push.example.com/personal',
}

beforeAll(async () => {
  node = await startPaymentChain()
  table = await createTestTable({ settings: node.settings, house: '100000' })
  user = await aRichUser(table, node)
  await table.call(support.open, { topic: 'other', subject: texts.message, text: texts.message }, user.token)
  await plant()
  await table.owner.query(`begin; set local session_replication_role = replica;
    insert into chain_claims (id, chain_id, tx_hash, user_number, product, amount)
      values (new_id(), 31337, '0x${'b'.repeat(64)}', null, 'operator', 5000000);
    update chain_claims set details = '{"user": "${user.number}"}' where user_number is null; commit`)
  obstacles = (await table.call(deletion.preview, {}, user.token)).data.obstacles.map(({ obstacle }) => obstacle)
  await settleUser(table, user, await aUser(table))
  before = await countUserRows(table.context.db, { ...user, wallet_address: user.wallet.address })
})
afterAll(async () => {
  await table.close()
  await node.stop()
})

async function plant(): Promise<void> {
  const client = await table.owner.connect()
  try {
    await client.query('set session_replication_role = replica')
    const rows: [string, unknown[]][] = [
      ['update news_emails set address = $2 where user_number = $1', [texts.email]],
      ['update news_chats set chat_id = $2 where user_number = $1', [texts.chat]],
      ['update sessions set device = $2 where user_number = $1', [texts.device]],
      ['update declarations set country = $2 where user_number = $1', [texts.country]],
      ['update news_devices set endpoint = $2 where user_number = $1', [texts.endpoint]],
      [
        'insert into news_email_codes (id, user_number, address, asked_at) values ($3, $1, $2, now())',
        [texts.email, newId()],
      ],
      [
        'insert into news_chat_codes (code_hash, user_number, asked_at) select sha256($2), $1, now()',
        [Buffer.from('code')],
      ],
      ["insert into history_days values ('entries', $1::bigint * 16 + 3, '{}', '2026-01-01', 1)", []],
      ["insert into history_days values ('transfers', $1, '{}', '2026-01-01', 1)", []],
      ["insert into history_days values ('entries', $1, '{\"of\": \"another user\"}', '2026-01-01', 1)", []],
    ]
    for (const [statement, values] of rows) await client.query(statement, [user.number, ...values])
    await client.query('set session_replication_role = origin')
  } finally {
    client.release()
  }
}

/** Tables in which some row, as text, contains one of the words. */
async function search(words: readonly string[]): Promise<string[]> {
  const tables = new Set((await listColumns(table.context.db)).map((column) => column.table))
  const found: string[] = []
  for (const name of tables) {
    const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
    const { rows } = await table.owner.query(`select 1 from "${name}" t where t::text ~* $1 limit 1`, [pattern])
    if (rows.length > 0) found.push(name)
  }
  return found.toSorted()
}

const kept = keptRecords.flatMap(({ tables }) => tables)

test('every table about users is deleted from, kept with a reason, or found by no word about a user', async () => {
  const { rows } = await sql<{ name: string }>`select unnest(deletion_tables()) as name`.execute(table.context.db)
  const children = ['quiz_events', 'support_messages', 'session_proofs', 'sign_in_nonces', 'history_days']
  /** Guests, counts under hashes, and ids of the vault: nothing in them leads to a user. */
  const nameless = ['quiz_guest_games', 'rate_counts', 'vault_voids', 'chain_unbooked']
  const named = [...rows.map(({ name }) => name), ...children, ...nameless, ...kept, ...unrelated]
  const tables = new Set((await listColumns(table.context.db)).map((column) => column.table))
  expect([...tables].filter((name) => !named.includes(name))).toEqual([])
  expect(kept.filter((name) => unrelated.includes(name) || !tables.has(name))).toEqual([])
  expect(Object.keys(withheld).filter((name) => !named.includes(name))).toEqual([])
})

test('everything that is open stops the deletion, also what only operators or time can end', () => {
  const open = ['bet', 'due', 'excluded', 'payment', 'plan', 'wallet']
  expect(obstacles.toSorted()).toEqual(open)
})

test('after a deletion no column of any table names the user, except in the records that are kept', async () => {
  const personal = Object.values(texts)
  expect((await search(personal)).length).toBeGreaterThan(5)
  const { data } = await table.call(deletion.preview, {}, user.token)
  expect(data.obstacles).toEqual([])
  await deleteUser(table, user, await readLeft(table, user))

  expect(await search(personal)).toEqual([])
  const { wallet, username, referralCode, token } = user
  const address = wallet.address.slice(2)
  const hits = await search([username, address, referralCode, token])
  expect(hits.length).toBeGreaterThan(0)
  expect(hits.filter((name) => !kept.includes(name))).toEqual([])
  expect(hits).not.toContain('liability_parts')
})

test('no row with the number of a deleted user is left outside of the kept tables', async () => {
  const after = await countUserRows(table.context.db, { ...user, wallet_address: user.wallet.address })
  const emptied = Object.keys(before).filter((name) => (before[name] ?? 0) > 0 && !kept.includes(name))
  expect(emptied.length).toBeGreaterThan(25)
  expect(Object.keys(after).filter((name) => (after[name] ?? 0) > 0 && !kept.includes(name))).toEqual([])
  const { rows } = await table.owner.query('select history, owner from history_days where owner in ($1, $2)', [
    user.number,
    user.number * 16 + 3,
  ])
  expect(rows).toEqual([{ history: 'entries', owner: String(user.number) }])
})

test('the shared link of a deleted user leads nowhere', async () => {
  const { rows } = await table.owner.query('select count(*)::int as shares from shares')
  expect(rows).toEqual([{ shares: 0 }])
})
