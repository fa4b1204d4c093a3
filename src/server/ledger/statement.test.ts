import { afterAll, beforeAll, expect, test } from 'vitest'
import { micro, parseUsdt } from '../../protocol/money.ts'
import { addDays, dayOf } from '../../protocol/time.ts'
import { newId, transaction } from '../platform/db.ts'
import { createTestLedger } from '../testing/ledger.ts'
import { userAccount } from './accounts.ts'
import { post } from './post.ts'
import { listStatement, listTotals, type StatementEntry, statementCsv } from './statement.ts'

const account = userAccount(1, 'wallet')
const TRANSFERS = 120

let books: Awaited<ReturnType<typeof createTestLedger>>
beforeAll(async () => {
  books = await createTestLedger()
  await books.openUsers(2, 'wallet', parseUsdt('100'))
  await transaction(books.db, async (tx) => {
    for (let turn = 0; turn < TRANSFERS; turn++) {
      const [from, to] = turn % 3 ? [account, userAccount(2, 'wallet')] : [userAccount(2, 'wallet'), account]
      await post(tx, {
        kind: 'transfer',
        reference: newId(),
        movements: [{ from, to, amount: micro(BigInt(turn + 1)) }],
      })
    }
  })
})
afterAll(() => books.close())

test('a statement pages from the newest entry to the oldest, and each balance follows from the previous one', async () => {
  const all: StatementEntry[] = []
  let before: bigint | undefined
  do {
    const page = await listStatement(books.db, { account }, { before, limit: 50 })
    all.push(...page.entries)
    before = page.next
  } while (before !== undefined)
  expect(all.map(({ version }) => version)).toEqual(all.map((_, at) => BigInt(all.length - at)))
  expect(all).toHaveLength(TRANSFERS + 1)
  all.reverse().reduce((balance, entry) => {
    expect(entry.balanceAfter).toBe(balance + entry.amount)
    return entry.balanceAfter
  }, micro(0n))
})

test('a page that ends exactly at the oldest entry has no next page', async () => {
  expect((await listStatement(books.db, { account }, { limit: TRANSFERS + 1 })).next).toBeUndefined()
  expect((await listStatement(books.db, { account }, { limit: TRANSFERS })).next).toBe(2n)
})

test('a statement can be filtered by kind and by days', async () => {
  const { db } = books
  const today = dayOf(new Date())
  expect((await listStatement(db, { account, kind: 'chain_deposit' })).entries).toHaveLength(1)
  expect((await listStatement(db, { account, from: addDays(today, -1), to: addDays(today, 1) })).entries).toHaveLength(
    50,
  )
  expect((await listStatement(db, { account, to: addDays(today, -2) })).entries).toEqual([])
  expect((await listStatement(db, { account, from: addDays(today, 2) })).entries).toEqual([])
})

test('totals by day and kind add up to the balance', async () => {
  const totals = await listTotals(books.db, { account })
  expect(new Set(totals.map(({ kind }) => kind))).toEqual(new Set(['chain_deposit', 'transfer']))
  const { entries } = await listStatement(books.db, { account }, { limit: 1 })
  expect(totals.reduce((sum, { received, spent }) => sum + received - spent, 0n)).toBe(entries[0]?.balanceAfter)
})

test('the CSV has one line per entry', async () => {
  const lines: string[] = []
  for await (const line of statementCsv(books.db, { account })) lines.push(line)
  expect(lines[0]).toBe('posted_at,kind,reference,amount,balance_after\r\n')
  expect(lines).toHaveLength(TRANSFERS + 2)
  expect(lines.at(-1)).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z,chain_deposit,[0-9a-f-]{36},100,100\r\n$/)
})
