import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { micro, parseUsdt, type Usdt } from '../../protocol/money.ts'
import { newId, transaction } from '../platform/db.ts'
import { createTestLedger } from '../testing/ledger.ts'
import { systemAccount, userAccount } from './accounts.ts'
import { formatReport, runAudit } from './audit.ts'
import { getBalance } from './balances.ts'
import { ledgerInvariants } from './invariants.ts'
import { lockAccounts, post } from './post.ts'
import type { Posted, Posting } from './posting.ts'
import { createLedger } from './submit.ts'

const STORM = 50
const RING = 20
const hundred = parseUsdt('100')
const wallet = (userNumber: number) => userAccount(userNumber, 'wallet')
const send = (from: number, to: number, amount: Usdt, reference: string = newId()): Posting => ({
  kind: 'transfer',
  reference,
  movements: [{ from: wallet(from), to: wallet(to), amount }],
})

let books: Awaited<ReturnType<typeof createTestLedger>>
beforeAll(async () => {
  books = await createTestLedger()
  await books.openUsers(100, 'wallet', hundred)
})
afterAll(async () => {
  expect(formatReport(await runAudit(books.db, ledgerInvariants))).not.toContain('BROKEN')
  await books.close()
})

/** Simulates another process, which has its own lanes. */
const elsewhere = () => createLedger(books.pool)
const ways: [string, () => (posting: Posting, at: number) => Promise<Posted>][] = [
  ['in groups', () => (posting) => books.ledger.submit(posting)],
  ['in separate transactions', () => (posting) => transaction(books.db, (tx) => post(tx, posting))],
  [
    'from three processes and in transactions',
    () => {
      const ledgers = [books.ledger, elsewhere(), elsewhere()]
      return (posting, at) => ledgers[at % 4]?.submit(posting) ?? transaction(books.db, (tx) => post(tx, posting))
    },
  ],
]
let user = 0

describe.each(ways)(`${STORM} at once, %s`, (_name, begin) => {
  test('identical spends: one is posted, the others get its reply', async () => {
    const [submit, from, to] = [begin(), ++user, ++user]
    const posting = send(from, to, hundred)
    const answers = await Promise.all(Array.from({ length: STORM }, (_, at) => submit({ ...posting, reply: at }, at)))
    expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1)
    expect(new Set(answers.map(({ reply }) => reply)).size).toBe(1)
    expect(await getBalance(books.db, wallet(from))).toBe(0n)
    expect(await getBalance(books.db, wallet(to))).toBe(hundred * 2n)
  })

  test('spends of the whole balance: one wins, the others are refused', async () => {
    const [submit, from, to] = [begin(), ++user, ++user]
    const answers = await Promise.allSettled(
      Array.from({ length: STORM }, (_, at) => submit(send(from, to, hundred), at)),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refusals = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason.code)
    expect(new Set(refusals)).toEqual(new Set(['insufficient_balance']))
    expect(await getBalance(books.db, wallet(from))).toBe(0n)
  })

  test('one key with different amounts: one is posted, the others are refused', async () => {
    const [submit, from, to, reference] = [begin(), ++user, ++user, newId()]
    const answers = await Promise.allSettled(
      Array.from({ length: STORM }, (_, at) => submit(send(from, to, micro(BigInt(at + 1)), reference), at)),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refusals = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason.code)
    expect(new Set(refusals)).toEqual(new Set(['idempotency_mismatch']))
  })

  test('a ring of transfers leaves the sum unchanged', async () => {
    const [submit, first] = [begin(), user + 1]
    user += RING
    const members = Array.from({ length: RING }, (_, at) => first + at)
    const total = async () =>
      (await Promise.all(members.map((number) => getBalance(books.db, wallet(number))))).reduce<bigint>(
        (a, b) => a + b,
        0n,
      )
    const before = await total()
    await Promise.allSettled(
      Array.from({ length: RING * 15 }, (_, at) => {
        const [from, to] = [members[at % RING] ?? 0, members[(at + 1 + (at % 3)) % RING] ?? 0]
        return submit(send(from, to, micro(BigInt(1 + ((at * 7_919) % 60_000_000)))), at)
      }),
    )
    expect(await total()).toBe(before)
  })
})

test('postings in opposite order in two transactions both succeed: the deadlock is retried', async () => {
  const [a, b] = [++user, ++user]
  const both = (from: number, to: number) =>
    transaction(books.db, async (tx) => {
      await post(tx, { ...send(from, to, micro(1n)), kind: 'bet_deposit', movements: toBet(from) })
      await post(tx, { ...send(to, from, micro(1n)), kind: 'bet_deposit', movements: toBet(to) })
    })
  const toBet = (number: number) => [{ from: wallet(number), to: userAccount(number, 'bet'), amount: micro(1n) }]
  await Promise.all([both(a, b), both(b, a)])
  expect(await getBalance(books.db, userAccount(a, 'bet'))).toBe(2n)
})

test('a limit checked under lockAccounts holds under concurrent calls', async () => {
  const number = ++user
  const bet = { from: wallet(number), to: userAccount(number, 'bet'), amount: micro(30_000_000n) }
  const withinLimit = () =>
    transaction(books.db, async (tx) => {
      const held = await lockAccounts(tx, [bet.from, bet.to])
      if ((held.get(bet.to) ?? 0n) + bet.amount > 60_000_000n) throw new Error('over the limit')
      await post(tx, { kind: 'bet_deposit', reference: newId(), movements: [bet] })
    })
  await Promise.allSettled(Array.from({ length: 20 }, withinLimit))
  expect(await getBalance(books.db, bet.to)).toBe(60_000_000n)
})

test('a busy system account accepts all concurrent postings', async () => {
  const number = ++user
  const before = await getBalance(books.db, systemAccount('fees'))
  const movements = [{ from: wallet(number), to: systemAccount('fees'), amount: micro(1n) }]
  await Promise.all(
    Array.from({ length: 200 }, () => books.ledger.submit({ kind: 'withdrawal', reference: newId(), movements })),
  )
  expect(await getBalance(books.db, systemAccount('fees'))).toBe(before + 200n)
})

// If the group fails, each posting is sent alone. All of them succeed then too, but slowly.
test('postings that arrive together are written by one transaction', async () => {
  const postings = Array.from({ length: RING }, (_, at) => send(at + 70, at + 71, micro(1n)))
  await Promise.all(postings.map((posting) => books.ledger.submit(posting)))
  const { rows } = await books.owner.query(
    'select count(*)::int as postings, count(distinct xmin::text)::int as transactions from ledger_postings where reference = any ($1)',
    [postings.map(({ reference }) => reference)],
  )
  expect(rows).toEqual([{ postings: RING, transactions: 1 }])
})
