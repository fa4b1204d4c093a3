import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../../protocol/money.ts'
import { transaction } from '../platform/db.ts'
import { createTestLedger, fillAccount } from '../testing/ledger.ts'
import { inPart, partsOfAll } from './parts.ts'

const DEPOSITS = 40

let books: Awaited<ReturnType<typeof createTestLedger>>
beforeAll(async () => {
  books = await createTestLedger()
  await books.openUsers(1)
  for (let count = 0; count < DEPOSITS; count++)
    await transaction(books.db, (tx) => fillAccount(tx, 1, 'wallet', parseUsdt('1')))
})
afterAll(() => books.close())

test('the parts of a long history have every entry once, and about as many each', async () => {
  const counts = await transaction(books.db, async (tx) => {
    const parts = await partsOfAll(tx, 20, 100)
    const count = sql<{ count: number }>`select count(*)::int as count from ledger_entries where`
    return Promise.all(
      parts.map(
        async (part) => (await sql<{ count: number }>`${count} ${inPart(part)}`.execute(tx)).rows[0]?.count ?? 0,
      ),
    )
  })
  expect(counts.length).toBe(4)
  expect(counts.reduce((sum, count) => sum + count)).toBe(2 * DEPOSITS)
  for (const count of counts) expect(Math.abs(count - 20)).toBeLessThanOrEqual(2)
})

test('a short history is one part', async () => {
  expect(await transaction(books.db, (tx) => partsOfAll(tx))).toHaveLength(1)
})
