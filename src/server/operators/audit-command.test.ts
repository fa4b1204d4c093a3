import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../../protocol/money.ts'
import type { Chain } from '../chain/client.ts'
import type { Invariant } from '../ledger/audit.ts'
import { sealAll } from '../testing/corruption.ts'
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
  const options = { isFull: args.includes('--full'), asJson: args.includes('--json') }
  const code = await auditCommand(books.db, invariants, options, (written) => {
    text += written
  })
  return { code, text }
}

const AS_TABLE = { isFull: false, asJson: false }

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
  const code = await auditCommand(books.db, [unknown], AS_TABLE, (text) => written.push(text))
  expect(code).toBe(2)
  expect(written.join()).toMatch(/99 {2}Nobody knows +NOT CHECKED.*no answer.*could not be checked/s)
  expect(await auditCommand(books.db, [unknown, ...invariants], AS_TABLE, () => {})).toBe(1)
})

test('with --full, the audit command also finds what changed in the rows before the checkpoint', async () => {
  const own = await createTestLedger()
  for (const user of [1, 2]) {
    await own.openUsers(user, 'wallet', parseUsdt('1'))
    await sealAll(own.db, invariants)
  }
  await own.owner.query(`begin; set local session_replication_role = replica;
    update ledger_entries set posted_at = now() where tx >= (select max(tx_from) from ledger_seals where entries > 0);
    commit`)
  const audit = (isFull: boolean) => auditCommand(own.db, invariants, { ...AS_TABLE, isFull }, () => {})
  // Turn 0 reads slice 1,440 again, and there are not so many.
  await own.owner.query('update ledger_checkpoint set turn = 0')
  expect([await audit(false), await audit(true)]).toEqual([0, 1])
  await own.close()
})

test('every invariant is checked once, under its number', () => {
  const numbers = allInvariants({} as Chain).map(({ number }) => number)
  expect(numbers.length).toBeGreaterThanOrEqual(30)
  expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, at) => at + 1))
})
