import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { day } from '../../protocol/time.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createDb, createPool, type Db } from './db.ts'
import { CSV_ROWS_MAX, cellOf, type History, readCsv, readPage } from './history.ts'

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await createTestDatabase()
  db = createDb(createPool(database.appUrl, 2))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const row = z.strictObject({ number: z.int(), parity: z.string() })
type Row = z.output<typeof row>

/** One row every six hours from midnight UTC of March 1st: four rows a day. */
const everySixHours = (count: number, type: 'timestamptz' | 'date' = 'timestamptz'): History<Row, Row> => ({
  ...{ name: 'test', owner: 1, filters: ['parity'], changesFrom: null },
  at: 'at',
  order: ['at', 'number'],
  rows: () => sql`
    select n as number, case n % 2 when 0 then 'even' else 'odd' end as parity,
      ((timestamptz '2026-03-01T00:00:00Z' + (n - 1) * interval '6 hours') at time zone 'utc')
        ${type === 'date' ? sql`::date` : sql`at time zone 'utc'`} as at
    from generate_series(1, ${count}::int) as n`,
  rowOf: ({ number, parity }) => ({ number, parity }),
})
const numbers = ({ data }: { data: Row[] }) => data.map(({ number }) => number)
const days = (from?: string, to?: string) => ({
  ...(from && { from: day.parse(from) }),
  ...(to && { to: day.parse(to) }),
})

test('pages have every row once, newest first, and the same total on each page', async () => {
  const history = everySixHours(45)
  const pages = []
  for (const page_no of [1, 2, 3, 4]) pages.push(await readPage(db, history, { page_no, page_size: 20 }))
  expect(pages.flatMap(numbers)).toEqual(Array.from({ length: 45 }, (_, at) => 45 - at))
  expect(pages.map(({ data }) => data.length)).toEqual([20, 20, 5, 0])
  expect(pages.map(({ total, page_size }) => [total, page_size])).toEqual(Array(4).fill([45, 20]))
  expect(await readPage(db, everySixHours(60), {})).toMatchObject({ page_no: 1, page_size: 50, total: 60 })
})

test.each(['timestamptz', 'date'] as const)(
  'a period includes both of its UTC days, for a column of type %s',
  async (type) => {
    const history = everySixHours(12, type)
    expect(numbers(await readPage(db, history, days('2026-03-02', '2026-03-02')))).toEqual([8, 7, 6, 5])
    expect(numbers(await readPage(db, history, days('2026-03-03')))).toEqual([12, 11, 10, 9])
    expect(numbers(await readPage(db, history, days(undefined, '2026-03-01')))).toEqual([4, 3, 2, 1])
    expect(await readPage(db, history, days('2026-03-03', '2026-03-01'))).toMatchObject({ data: [], total: 0 })
  },
)

test('filters and a period together also count only what matches', async () => {
  const input = { parity: 'odd', page_size: 1, ...days('2026-03-02') }
  expect(await readPage(db, everySixHours(12), input)).toMatchObject({ data: [{ number: 11 }], total: 4 })
  expect(await readPage(db, everySixHours(12), { parity: undefined })).toMatchObject({ total: 12 })
})

test('a CSV file has all matching rows under the names of the columns', async () => {
  expect(await readCsv(db, everySixHours(5), row, { parity: 'odd' })).toBe(
    'number,parity\r\n5,odd\r\n3,odd\r\n1,odd\r\n',
  )
})

test('a CSV file that would be too long is refused, not cut', async () => {
  await expect(readCsv(db, everySixHours(CSV_ROWS_MAX + 1), row, {})).rejects.toMatchObject({ field: 'from' })
  const longest = await readCsv(db, everySixHours(CSV_ROWS_MAX), row, {})
  expect(longest.trimEnd().split('\r\n')).toHaveLength(CSV_ROWS_MAX + 1)
})

test.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['+49 30', "'+49 30"],
  ['-1+2', "'-1+2"],
  ['  =1', "'  =1"],
  ['\u00a0=1', "'\u00a0=1"],
  ['-12.5', '-12.5'],
  ['-0.000001', '-0.000001'],
  [7, '7'],
  [null, ''],
  ['a, b', '"a, b"'],
  ['say "hi"', '"say ""hi"""'],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
])('the cell of %j is %s', (value, cell) => {
  expect(cellOf(value)).toBe(cell)
})
