import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../chain/client.ts'
import type { Invariant } from '../ledger/audit.ts'
import { createTestLedger } from '../testing/ledger.ts'
import { auditCommand } from './audit-command.ts'
import { allInvariants, invariants } from './invariants.ts'

let books: Awaited<ReturnType<typeof createTestLedger>>
beforeAll(async () => {
  books = await createTestLedger()
})
afterAll(() => books.close())

async function audit(...args: string[]) {
  let text = ''
  const code = await auditCommand(books.db, invariants, args.includes('--json'), (written) => {
    text += written
  })
  return { code, text }
}

test('the audit command prints a table and exits with 0, or with 1 when an invariant is broken', async () => {
  expect(await audit()).toMatchObject({ code: 0, text: expect.stringMatching(/ 4 {2}All accounts sum to 0 +ok/) })
  await books.owner.query('update ledger_accounts set balance = 1 where id = ledger_custody() + 1')
  expect(await audit()).toMatchObject({ code: 1, text: expect.stringMatching(/ 4 {2}All accounts sum to 0 +BROKEN/) })
  const { code, text } = await audit('--json')
  expect(code).toBe(1)
  expect(JSON.parse(text).invariants.find((row: { number: number }) => row.number === 4).findings).toEqual([
    'all accounts sum to 1',
  ])
})

test('the audit command exits with 2 when nothing is known to be broken, but something could not be checked', async () => {
  const unknown: Invariant = { number: 99, name: 'Nobody knows', check: () => Promise.reject(new Error('no answer')) }
  const written: string[] = []
  const code = await auditCommand(books.db, [unknown], false, (text) => written.push(text))
  expect(code).toBe(2)
  expect(written.join()).toMatch(/99 {2}Nobody knows +NOT CHECKED.*no answer.*could not be checked/s)
  expect(await auditCommand(books.db, [unknown, ...invariants], false, () => {})).toBe(1)
})

test('every invariant is checked once, under its number', () => {
  const numbers = allInvariants({} as Chain).map(({ number }) => number)
  expect(numbers.length).toBeGreaterThanOrEqual(29)
  expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, at) => at + 1))
})
