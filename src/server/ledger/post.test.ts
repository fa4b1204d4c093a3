import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { micro, parseUsdt, type Usdt } from '../../protocol/money.ts'
import { newId, transaction } from '../platform/db.ts'
import { createTestLedger } from '../testing/ledger.ts'
import { type AccountId, systemAccount, userAccount } from './accounts.ts'
import { getBalance, getSystemBalances, getUserBalances } from './balances.ts'
import { lockAccounts, post, postBulk } from './post.ts'
import type { Posting } from './posting.ts'

const wallet = (userNumber: number) => userAccount(userNumber, 'wallet')
const transfer = (from: AccountId, to: AccountId, amount: Usdt, more: Partial<Posting> = {}): Posting => ({
  kind: 'transfer',
  reference: newId(),
  movements: [{ from, to, amount }],
  ...more,
})
const hundred = parseUsdt('100')

let books: Awaited<ReturnType<typeof createTestLedger>>
beforeAll(async () => {
  books = await createTestLedger()
  await books.openUsers(30, 'wallet', hundred)
})
afterAll(() => books.close())

type Way = (posting: Posting) => Promise<{ repeated: boolean; reply: unknown }>
const ways: [string, Way][] = [
  ['in its own transaction', (posting) => transaction(books.db, (tx) => post(tx, posting))],
  ['alone', (posting) => books.ledger.submit(posting)],
  ['in a group', submitInGroup],
]
function submitInGroup(posting: Posting) {
  for (const neighbour of neighbours()) books.ledger.submit(neighbour)
  return books.ledger.submit(posting)
}
const neighbours = () => Array.from({ length: 5 }, () => transfer(wallet(29), wallet(30), micro(1n)))

describe.each(ways)('a posting %s', (_name, submit) => {
  test('moves money and writes one entry per account', async () => {
    const [from, to] = [wallet(1), wallet(2)]
    const [fromBefore, toBefore] = [await getBalance(books.db, from), await getBalance(books.db, to)]
    const posting = transfer(from, to, micro(7n))
    expect(await submit(posting)).toEqual({ repeated: false, reply: null })
    expect(await getBalance(books.db, from)).toBe(fromBefore - 7n)
    expect(await getBalance(books.db, to)).toBe(toBefore + 7n)
    const entries = await books.db
      .selectFrom('ledger_entries')
      .select(['account_id', 'amount', 'balance_after'])
      .where('reference', '=', posting.reference)
      .orderBy('account_id')
      .execute()
    expect(entries).toEqual([
      { account_id: from, amount: -7n, balance_after: fromBefore - 7n },
      { account_id: to, amount: 7n, balance_after: toBefore + 7n },
    ])
  })

  test('nets many movements into one entry per account', async () => {
    const reference = newId()
    const [from, [a, b]] = [systemAccount('custody'), [wallet(3), wallet(4)]]
    const movements = [
      { from, to: a, amount: micro(1n) },
      { from, to: b, amount: micro(2n) },
      { from, to: a, amount: micro(3n) },
    ]
    await submit({ kind: 'chain_deposit', reference, movements })
    const entries = await books.db
      .selectFrom('ledger_entries')
      .select(['account_id', 'amount'])
      .where('reference', '=', reference)
      .orderBy('account_id')
      .execute()
    expect(entries.map(({ amount }) => amount)).toEqual([4n, 2n, -6n])
  })

  test('is refused when the account does not hold enough, and writes nothing', async () => {
    const before = await getBalance(books.db, wallet(5))
    const refused = transfer(wallet(5), wallet(6), micro(before + 1n))
    await expect(submit(refused)).rejects.toMatchObject({ code: 'insufficient_balance' })
    expect(await getBalance(books.db, wallet(5))).toBe(before)
    const known = await books.db.selectFrom('ledger_postings').where('reference', '=', refused.reference).execute()
    expect(known).toEqual([])
  })

  test('can spend an account down to the last micro-USDT', async () => {
    const all = await getBalance(books.db, wallet(7))
    await submit(transfer(wallet(7), wallet(8), all))
    expect(await getBalance(books.db, wallet(7))).toBe(0n)
    await submit(transfer(wallet(8), wallet(7), all))
  })

  test('returns the first reply when repeated, even if the account is empty by then', async () => {
    const all = await getBalance(books.db, wallet(9))
    const posting = transfer(wallet(9), wallet(10), all, { body: { note: 'rent' }, reply: { receipt: 'first' } })
    expect(await submit(posting)).toEqual({ repeated: false, reply: { receipt: 'first' } })
    expect(await submit({ ...posting, reply: { receipt: 'second' } })).toEqual({
      repeated: true,
      reply: { receipt: 'first' },
    })
    expect(await getBalance(books.db, wallet(9))).toBe(0n)
    await submit(transfer(wallet(10), wallet(9), all))
  })

  test.each([
    [
      'amount',
      (posting: Posting) => ({ ...posting, movements: transfer(wallet(11), wallet(12), micro(2n)).movements }),
    ],
    ['body', (posting: Posting) => ({ ...posting, body: { note: 'other' } })],
  ])('is refused if the key was used with a different %s', async (_part, change) => {
    const posting = transfer(wallet(11), wallet(12), micro(1n), { body: { note: 'one' } })
    await submit(posting)
    await expect(submit(change(posting))).rejects.toMatchObject({ code: 'idempotency_mismatch' })
  })

  test('to an account that was never opened fails and moves nothing', async () => {
    const before = await getBalance(books.db, wallet(13))
    await expect(submit(transfer(wallet(13), wallet(999), micro(1n)))).rejects.toThrow('unknown account')
    await expect(submit(transfer(wallet(999), wallet(13), micro(1n)))).rejects.toThrow()
    expect(await getBalance(books.db, wallet(13))).toBe(before)
  })
})

test('each posting in a group succeeds or fails on its own', async () => {
  const all = await getBalance(books.db, wallet(14))
  const postings = [
    transfer(wallet(14), wallet(15), all),
    transfer(wallet(14), wallet(15), micro(1n)),
    transfer(wallet(16), wallet(15), micro(1n)),
    transfer(wallet(16), wallet(998), micro(1n)),
  ]
  const answers = await Promise.allSettled(
    [...neighbours(), ...postings].map((posting) => books.ledger.submit(posting)),
  )
  expect(answers.slice(5).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
})

test('money received earlier in a group can be spent later in the same group', async () => {
  const all = await getBalance(books.db, wallet(17))
  const [first, second] = [
    transfer(wallet(17), wallet(18), all),
    transfer(wallet(18), wallet(19), micro(all + hundred)),
  ]
  await Promise.all([...neighbours(), first, second].map((posting) => books.ledger.submit(posting)))
  expect(await getBalance(books.db, wallet(18))).toBe(0n)
})

test('rows are written only with postings that succeed', async () => {
  await books.owner.query('create table notes (id uuid primary key, amount bigint, note text not null)')
  await books.owner.query('grant select, insert on notes to wellplay_app')
  const { db, ledger } = books
  const [good, poor, bad] = [1n, 10n ** 15n, 1n].map((amount) => transfer(wallet(20), wallet(21), micro(amount)))
  const row = (posting: Posting | undefined, note: string | null) =>
    [{ table: 'notes', values: { id: posting?.reference, amount: posting?.movements[0]?.amount, note } }] as never
  const answers = await Promise.allSettled([
    ...neighbours().map((posting) => ledger.submit(posting)),
    ...[good, poor, bad].map((posting, at) =>
      ledger.submit(posting as Posting, row(posting, at === 2 ? null : 'hello')),
    ),
  ])
  expect(answers.slice(5).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  const { rows } = await sql`select id, amount, note from notes`.execute(db)
  expect(rows).toEqual([{ id: good?.reference, amount: 1n, note: 'hello' }])
})

test('a bulk posting pays every account the query returns, once', async () => {
  const { db } = books
  const movements = sql`select ${systemAccount('custody')}::bigint, number::bigint * 16 + 3, 10::bigint
    from generate_series(22, 25) as number`
  const bulk = { kind: 'chain_deposit', reference: newId(), movements } as const
  const before = await getBalance(db, systemAccount('custody'))
  expect((await transaction(db, (tx) => postBulk(tx, bulk))).repeated).toBe(false)
  expect((await transaction(db, (tx) => postBulk(tx, bulk))).repeated).toBe(true)
  expect(await getBalance(db, systemAccount('custody'))).toBe(before - 40n)
  const empty = { ...bulk, reference: newId(), movements: sql`select 1::bigint, 2::bigint, 3::bigint where false` }
  expect((await transaction(db, (tx) => postBulk(tx, empty))).repeated).toBe(false)
})

test('a bulk posting that the pool cannot cover pays no one', async () => {
  const movements = sql`select ${systemAccount('reward_pool')}::bigint, number::bigint * 16 + 1, 10::bigint
    from generate_series(22, 25) as number`
  const bulk = { kind: 'daily_reward', reference: newId(), movements } as const
  const paying = transaction(books.db, (tx) => postBulk(tx, bulk))
  await expect(paying).rejects.toMatchObject({ code: 'insufficient_balance' })
  expect((await getUserBalances(books.db, 22)).reward).toBe(0n)
})

test('locking accounts returns their balances', async () => {
  const held = await transaction(books.db, (tx) => lockAccounts(tx, [wallet(26), wallet(27)]))
  expect([...held]).toEqual([
    [wallet(26), hundred],
    [wallet(27), hundred],
  ])
})

test('all accounts sum to zero', async () => {
  const { rows } = await sql<{ sum: string }>`select sum(balance) from ledger_accounts`.execute(books.db)
  expect(rows).toEqual([{ sum: '0' }])
  expect((await getSystemBalances(books.db)).custody).toBeLessThan(0n)
})
