import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, type Day, dayOf } from '../src/protocol/time.ts'
import { statementOf } from '../src/server/features/balance/statement.ts'
import { betHistory, listRounds } from '../src/server/features/colour/queries.ts'
import { moveHistory } from '../src/server/features/colour/wallet.ts'
import { planHistory } from '../src/server/features/plans/history.ts'
import { uplineRewards } from '../src/server/features/plans/upline.ts'
import { listHolds } from '../src/server/features/referrals/holds.ts'
import { earningHistory, listReferralRewards, referralRewardHistory } from '../src/server/features/rewards/history.ts'
import { listRequests } from '../src/server/features/support/queries.ts'
import { transferHistory } from '../src/server/features/transfers/history.ts'
import { createUser } from '../src/server/features/users/users.ts'
import { withdrawalHistory } from '../src/server/features/withdrawals/handlers.ts'
import { createDb, createPool, type Db, transaction } from '../src/server/platform/db.ts'
import { type History, readPage } from '../src/server/platform/history.ts'
import { createOwnerPool, createTestDatabase, type TestDatabase } from '../src/server/testing/database.ts'
import { fillLists } from './long-lists.ts'

const ROWS = 2_400
const DAYS = 60

let database: TestDatabase
let db: Db
let user: number
beforeAll(async () => {
  database = await createTestDatabase()
  db = createDb(createPool(database.appUrl, 4))
  const join = (name: string, digit: string) =>
    transaction(db, (tx) =>
      createUser(tx, { username: name, walletAddress: `0x${digit.repeat(40)}`, sponsorCode: undefined }),
    )
  const partner = await join('ben', '2')
  user = (await join('anna', '1')).number
  const owner = createOwnerPool(database.ownerUrl)
  const client = await owner.connect()
  await fillLists(client, { user, partner: partner.number, rows: ROWS, days: DAYS })
  client.release()
  await owner.end()
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

type Narrowing = Record<string, unknown> & { from?: Day; to?: Day }

/** All rows that match, from the same query but without kept counts: what an offset would cut the pages from. */
async function whole<Raw, Row>(history: History<Raw, Row>, { from, to, ...filter }: Narrowing): Promise<Row[]> {
  const conditions = Object.entries(filter).map(([column, value]) => sql`${sql.ref(column)}::text = ${value}`)
  const day = history.atIsDay ? sql.ref(history.at) : sql`(${sql.ref(history.at)} at time zone 'utc')::date`
  if (from) conditions.push(sql`${day} >= ${from}`)
  if (to) conditions.push(sql`${day} <= ${to}`)
  const order = history.order.map((column) => sql`${sql.ref(column)} desc`)
  const { rows } = await sql<Raw>`
    select * from (${history.rows({})}) as history where ${sql.join([sql`true`, ...conditions], sql` and `)}
    order by ${sql.join(order)}`.execute(db)
  return rows.map(history.rowOf)
}

const ago = (days: number) => addDays(dayOf(new Date()), -days)
const periods: Narrowing[] = [{}, { from: ago(40) }, { to: ago(30) }, { from: ago(35), to: ago(33) }, { from: ago(1) }]

const lists: [string, () => History<unknown, unknown>, Narrowing[]][] = [
  ['the statement', () => statementOf(user, 'wallet'), [{ kind: 'transfer' }, { kind: 'royalty' }]],
  ['transfers', () => transferHistory(user), [{ direction: 'in' }, { direction: 'out' }]],
  ['withdrawals', () => withdrawalHistory(user), [{ state: 'paid' }, { state: 'waiting' }, { state: 'sent' }]],
  ['plans', () => planHistory(user), []],
  ['daily rewards', () => earningHistory(user), [{ state: 'paid' }, { state: 'deferred' }]],
  ['bets', () => betHistory(user), [{ state: 'won' }, { state: 'open' }, { state: 'refunded' }]],
  ['the bet wallet', () => moveHistory(user), [{ direction: 'deposit', state: 'to wallet' }, { state: 'done' }]],
  ['referral rewards', () => referralRewardHistory(user), []],
] as never

test.each(lists)(
  'each page of %s is what an offset gives, with every filter and period',
  async (_name, of, filters) => {
    const history = of()
    await readPage(db, history, {}, Number.POSITIVE_INFINITY)
    const counted = sql`select from history_days where history = ${history.name} and owner = ${history.owner}`
    expect((await counted.execute(db)).rows.length).toBeGreaterThan(20)
    for (const chosen of periods.flatMap((period) => [
      period,
      ...filters.map((filter) => ({ ...period, ...filter })),
    ])) {
      const all = await whole(history, chosen)
      const pages = Math.ceil(all.length / 50)
      for (let page_no = 1; page_no <= pages + 1; page_no++) {
        const { data, total } = await readPage(db, history, { ...chosen, page_no })
        expect({ chosen, page_no, total }).toEqual({ chosen, page_no, total: all.length })
        expect(data).toEqual(all.slice((page_no - 1) * 50, page_no * 50))
      }
    }
  },
)

test('each page of held rewards and of support requests is what an offset gives, from either end', async () => {
  const { rows: holds } = await sql<{ id: string }>`
    select id from referral_holds where user_number = ${user} and state <> 'spent'
    order by state <> 'held', held_at desc, id`.execute(db)
  const { rows: requests } = await sql<{ id: string }>`
    select id from support_requests where user_number = ${user} order by updated_at desc, id`.execute(db)
  const slice = (rows: { id: string }[], page_no: number) =>
    rows.slice((page_no - 1) * 50, page_no * 50).map(({ id }) => id)
  for (let page_no = 1; page_no <= ROWS / 50 + 2; page_no++) {
    const held = await listHolds(db, uplineRewards, user, { page_no })
    expect(held.data.map(({ hold_id }) => hold_id)).toEqual(slice(holds, page_no))
    const asked = await listRequests(db, user, { page_no })
    expect(asked.data.map(({ id }) => id)).toEqual(slice(requests, page_no))
    expect([held.total, asked.total]).toEqual([holds.length, requests.length])
  }
})

test('referral rewards of counted days are read through the counted entries of the account', async () => {
  const all = await whole(referralRewardHistory(user), {})
  await listReferralRewards(db, user, {})
  const seen = []
  for (let page_no = 1; page_no <= Math.ceil(all.length / 50); page_no++)
    seen.push(...(await listReferralRewards(db, user, { page_no })).data)
  expect(seen).toEqual(all)
  const { rows } = await sql`select from history_days where history = 'entries' and owner = ${user * 16 + 2}`.execute(
    db,
  )
  expect(rows.length).toBeGreaterThan(20)
})

test('each page of finished rounds is what an offset gives, around rounds that are still open', async () => {
  const { rows: all } = await sql`select * from colour_rounds where state <> 'open' order by number desc`.execute(db)
  expect(all).toHaveLength(ROWS - 3)
  for (let page_no = 1; page_no <= 50; page_no++) {
    const { rows, total } = await listRounds(db, page_no)
    expect({ page_no, total, rows }).toEqual({
      page_no,
      total: all.length,
      rows: all.slice((page_no - 1) * 50, page_no * 50),
    })
  }
})
