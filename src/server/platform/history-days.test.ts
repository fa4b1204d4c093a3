import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, type Day, dayOf } from '../../protocol/time.ts'
import { createOwnerPool, createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createDb, createPool, type Db } from './db.ts'
import { type History, readPage } from './history.ts'
import { ADDED_ONLY, UNCOUNTED_ROWS_MAX } from './history-days.ts'

let database: TestDatabase
let db: Db
let owner: ReturnType<typeof createOwnerPool>
beforeAll(async () => {
  database = await createTestDatabase()
  db = createDb(createPool(database.urls.api, 4))
  owner = createOwnerPool(database.ownerUrl)
  await owner.query(`
    create table events (owner int, number int, at timestamptz, colour text, size text, primary key (owner, number));
    grant select on events to wellplay_api`)
})
afterAll(async () => {
  await Promise.all([db.destroy(), owner.end()])
  await database.drop()
})

const DAYS = 50
const ROWS = 2 * UNCOUNTED_ROWS_MAX
const today = dayOf(new Date())

/** Rows with numbers from `first` on, in the order of time, or up to twenty hours before or after it. */
const addRows = (of: number, first: number, count: number, { rough = false, days = DAYS } = {}) =>
  owner.query(
    `insert into events
       select $1::int, $2::int + n - 1,
         date_trunc('second', now() - $4::int * interval '1 day' * (1 - n::float8 / $3)
           + (case when $5 then interval '20 hours' * (hashfloat8(n) / 2147483648.0) / 2 else interval '0' end)),
         (array['red', 'green', 'blue'])[1 + abs(hashint4(n)) % 3], (array['small', 'large'])[1 + abs(hashint4(n * 7)) % 2]
       from generate_series(1, $3::int) as n`,
    [of, first, count, days, rough],
  )

type Row = { number: number; colour: string; size: string }
const historyOf = (
  of: number,
  { rough = false, changesFrom = ADDED_ONLY as History<Row, number>['changesFrom'] } = {},
) =>
  ({
    name: 'events',
    owner: of,
    filters: ['colour', 'size'],
    changesFrom,
    at: 'at',
    order: rough ? ['number'] : ['at', 'number'],
    ...(rough && { atIsRough: true as const }),
    rows: () => sql<Row>`select number, colour, size, at from events where owner = ${of}`,
    rowOf: ({ number }) => number,
  }) satisfies History<Row, number>

type Narrowing = { colour?: string; size?: string; from?: Day; to?: Day }

/** All rows that match, as the offset query had them. */
async function whole(history: History<Row, number>, { from, to, colour, size }: Narrowing): Promise<number[]> {
  const { rows } = await sql<Row>`
    select number from events where owner = ${Number(history.owner)}
      and (${colour ?? null}::text is null or colour = ${colour ?? null}) and (${size ?? null}::text is null or size = ${size ?? null})
      and (at at time zone 'utc')::date between ${from ?? '1970-01-01'}::date and ${to ?? '2999-01-01'}::date
    order by ${history.order.length === 1 ? sql`` : sql`at desc,`} number desc`.execute(db)
  return rows.map(({ number }) => number)
}

const countedDays = async (of: number) =>
  (
    await db
      .selectFrom('history_days')
      .select(['day', 'filter', 'rows_until'])
      .where('owner', '=', BigInt(of))
      .execute()
  ).length

const someDay = fc.integer({ min: -2, max: DAYS + 2 }).map((ago) => addDays(today, -ago))
const narrowing = fc.record(
  {
    colour: fc.constantFrom('red', 'green', 'blue', 'none'),
    size: fc.constantFrom('small', 'large'),
    from: someDay,
    to: someDay,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Narrowing>

async function comparePages(history: History<Row, number>, chosen: Narrowing, page_size: number): Promise<void> {
  const all = await whole(history, chosen)
  const pages = Math.ceil(all.length / page_size)
  for (const page_no of new Set([
    1,
    2,
    Math.ceil(pages / 3),
    Math.ceil(pages / 2),
    pages - 1,
    pages,
    pages + 1,
    9_999,
  ])) {
    if (page_no < 1) continue
    const { data, total } = await readPage(db, history, { ...chosen, page_no, page_size })
    expect({ chosen, page_no, total, data }).toEqual({
      ...{ chosen, page_no, total: all.length },
      data: all.slice((page_no - 1) * page_size, page_no * page_size),
    })
  }
}

test.each([
  ['in the order of time', 1, false],
  ['in an order that differs from time around midnight', 2, true],
])('each page and total %s is what an offset gives, for any filter and period', async (_name, of, rough) => {
  await addRows(of, 1, ROWS, { rough })
  const history = historyOf(of, { rough })
  await readPage(db, history, {}, Number.POSITIVE_INFINITY)
  expect(await countedDays(of)).toBeGreaterThan(DAYS)
  await fc.assert(
    fc.asyncProperty(narrowing, fc.constantFrom(7, 20, 50), (chosen, size) => comparePages(history, chosen, size)),
    { numRuns: 60, seed: 5 },
  )
})

test('all pages together have every row once', async () => {
  await addRows(3, 1, ROWS)
  const seen: number[] = []
  for (let page_no = 1; page_no <= ROWS / 50; page_no++)
    seen.push(...(await readPage(db, historyOf(3), { page_no })).data)
  expect(seen).toEqual(Array.from({ length: ROWS }, (_, at) => ROWS - at))
})

test('rows that are added between two pages move the rest by their number, as with an offset', async () => {
  await addRows(4, 1, ROWS)
  const history = historyOf(4)
  const before = await readPage(db, history, { page_no: 20 })
  await addRows(4, ROWS + 1, 50, { days: 0 })
  const after = await readPage(db, history, { page_no: 21 })
  expect(after.data).toEqual(before.data)
  expect([before.total, after.total]).toEqual([ROWS, ROWS + 50])
  await comparePages(history, {}, 20)
})

test('a short history is not counted, and neither are days that can still change', async () => {
  await addRows(5, 1, UNCOUNTED_ROWS_MAX)
  await comparePages(historyOf(5), {}, 50)
  expect(await countedDays(5)).toBe(0)
  await addRows(6, 1, ROWS)
  await comparePages(historyOf(6, { changesFrom: null }), {}, 50)
  expect(await countedDays(6)).toBe(0)
  const open = addDays(today, -10)
  await comparePages(historyOf(6, { changesFrom: sql`${open}::date` }), { colour: 'red' }, 50)
  const { rows } = await sql<{ last: Day }>`select max(day) as last from history_days where owner = 6`.execute(db)
  expect(rows[0]?.last).toBe(addDays(open, -1))
  // A row of a day that was still open.
  await owner.query(`update events set colour = 'blue' where owner = 6 and at >= $1::date`, [open])
  await comparePages(historyOf(6), { colour: 'red' }, 50)
  await comparePages(historyOf(6), { colour: 'blue' }, 50)
})

test('eight readers that count the same days at once agree', async () => {
  await addRows(7, 1, ROWS)
  const history = historyOf(7)
  const pages = await Promise.all(Array.from({ length: 8 }, () => readPage(db, history, { page_no: 30 })))
  expect(new Set(pages.map(({ data }) => data.join())).size).toBe(1)
  const { rows } = await sql<{ last: Day; rows: bigint }>`
    select day as last, rows_until as rows from history_days where owner = 7 and filter = '{}'
    order by day desc limit 1`.execute(db)
  expect(rows).toMatchObject([{ rows: BigInt((await whole(history, { to: rows[0]?.last as Day })).length) }])
  await comparePages(history, { size: 'large' }, 50)
})
