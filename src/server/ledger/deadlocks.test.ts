import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { micro, parseUsdt } from '../../protocol/money.ts'
import { newId, type Tx } from '../platform/db.ts'
import { createTestLedger } from '../testing/ledger.ts'
import { userAccount } from './accounts.ts'
import { getBalance } from './balances.ts'
import { lockAccounts, post, postGroup } from './post.ts'
import type { Posting } from './posting.ts'

const ROUNDS = 8
const wallet = (number: number) => userAccount(number, 'wallet')
const send = (from: number, to: number, reference: string): Posting => ({
  kind: 'transfer',
  reference,
  movements: [{ from: wallet(from), to: wallet(to), amount: micro(1n) }],
})

let books: Awaited<ReturnType<typeof createTestLedger>>
beforeAll(async () => {
  books = await createTestLedger()
  await books.openUsers(20, 'wallet', parseUsdt('100'))
})
afterAll(() => books.close())

/** One attempt, so a deadlock is not hidden by a retry. Returns what PostgreSQL reports. */
const once = (work: (tx: Tx) => Promise<unknown>): Promise<string> =>
  books.db
    .transaction()
    .execute(work)
    .then(
      () => 'committed',
      ({ code }: { code: string }) => code,
    )
const waitFor = (sessions: number) =>
  expect
    .poll(async () => {
      const { rows } = await books.owner.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      return rows.length
    })
    .toBe(sessions)

/** A unique violation: the key was written in the meantime. Outside of this test it is retried. */
const CONFLICT = '23505'

test.each([
  ['alone', post],
  [
    'in a group',
    (tx: Tx, posting: Posting) =>
      postGroup(
        tx,
        [posting, send(7, 8, newId())].map((p) => ({ posting: p, rows: [] })),
      ),
  ],
  [
    'with two movements',
    (tx: Tx, { movements, ...posting }: Posting) => post(tx, { ...posting, movements: [...movements, ...movements] }),
  ],
])('a posting %s that waits for an account does not hold its key', async (_name, submit) => {
  const posting = send(1, 2, newId())
  let other: Promise<string> | undefined
  const first = await once(async (tx) => {
    await lockAccounts(tx, [wallet(1), wallet(2)])
    other = once((second) => submit(second, posting))
    await waitFor(1)
    await submit(tx, posting)
  })
  expect([first, await other]).toEqual(['committed', CONFLICT])
  expect(await once((tx) => submit(tx, posting))).toBe('committed')
})

test('two groups write the same keys in the same order', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const before = await getBalance(books.db, wallet(3))
    const [a, b] = [newId(), newId()]
    const groups = [
      [send(3, 4, a), send(5, 6, b)],
      [send(9, 10, b), send(11, 12, a)],
    ]
    const waiting: Promise<string>[] = []
    await once(async (tx) => {
      // Both groups must wait for the first key. When this transaction rolls back, they get on at the same moment.
      await post(tx, send(13, 14, a))
      for (const group of groups) {
        waiting.push(
          once((second) =>
            postGroup(
              second,
              group.map((posting) => ({ posting, rows: [] })),
            ),
          ),
        )
        await waitFor(waiting.length)
      }
      await sql`select 1 / 0`.execute(tx)
    })
    const outcomes = await Promise.all(waiting)
    expect(outcomes.sort()).toEqual([CONFLICT, 'committed'])
    expect(before - (await getBalance(books.db, wallet(3)))).toBeLessThanOrEqual(1n)
  }
})
