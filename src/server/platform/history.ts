import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../protocol/errors.ts'
import { type Db, type Tx, transaction } from './db.ts'
import {
  type Counted,
  countDays,
  countRows,
  type Days,
  type Filter,
  findSpan,
  matching,
  type Span,
} from './history-days.ts'
import { type Paging, sliceOf } from './pages.ts'

/**
 * A list of what happened to one user: a query for its rows, and how they become rows of the reply. A row that is
 * shown counts as acknowledged (R26), so histories are read in a transaction, whose commit waits for the standby.
 */
export type History<Raw, Row> = Counted<Raw> & { rowOf: (raw: Raw) => Row }

/** Every other field is a filter: the column of that name must have that value. */
type Narrowing = Days & { [column: string]: unknown }

/**
 * One page of a history, and how many rows match the filters in all. Kept counts of days say on which days the page
 * is, and the key of its first row where it begins. So a late page costs what the first one does.
 */
export async function readPage<Raw, Row>(
  db: Db,
  history: History<Raw, Row>,
  input: Paging & Narrowing,
  countMsMax?: number,
) {
  const { counts, ...page } = await transaction(db, (tx) => readPageIn(tx, history, input))
  await countDays(db, history, counts, countMsMax)
  return page
}

async function readPageIn<Raw, Row>(tx: Tx, history: History<Raw, Row>, input: Paging & Narrowing) {
  const { page_no: _no, page_size: _size, ...narrowing } = input
  const { page_no, page_size, offset } = sliceOf(input)
  const { days, filter } = partsOf(history, narrowing)
  const counts = await countRows(tx, history, days, filter)
  const span = await findSpan(tx, history, { days, filter, counts, offset, limit: page_size })
  const rows = span ? await readSpan(tx, history, filter, span, page_size) : []
  return { data: rows.map(history.rowOf), page_no, page_size, total: counts.counted + counts.uncounted, counts }
}

/**
 * The page begins at the key of its first row. Finding it skips rows cheaply, because PostgreSQL computes only the columns
 * that are asked for. The key is a query of its own: only with its values PostgreSQL plans to read no more than the page.
 */
async function readSpan<Raw, Row>(
  tx: Tx,
  history: History<Raw, Row>,
  filter: Filter,
  { days, offset }: Span,
  limit: number,
): Promise<Raw[]> {
  const all = matching(history, days, filter)
  const order = newestFirst(history)
  let page = all
  if (offset > 0) {
    const columns = history.order.map((column) => sql.ref(column))
    // As texts, which keep the microseconds of times.
    const { rows } = await sql<{ key: string[] }>`
      select array[${sql.join(columns.map((column) => sql`${column}::text`))}] as key ${all}
      order by ${order} limit 1 offset ${offset}`.execute(tx)
    if (!rows[0]) return []
    page = sql`from (select * ${all}) as history where (${sql.join(columns)}) <= (${sql.join(rows[0].key)})`
  }
  const { rows } = await sql<Raw>`select * ${page} order by ${order} limit ${limit}`.execute(tx)
  return rows
}

function partsOf<Raw>({ filters }: Counted<Raw>, { from, to, ...columns }: Narrowing) {
  const filter = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
  const unknown = Object.keys(filter).find((column) => !filters.includes(column))
  if (unknown) throw new Error(`this history has no filter ${unknown}`)
  return { days: { from, to }, filter }
}

const newestFirst = <Raw>({ order }: Counted<Raw>) => sql.join(order.map((column) => sql`${sql.ref(column)} desc`))

/** Longer histories must be downloaded in parts, by date. */
export const CSV_ROWS_MAX = 50_000
const ROWS_PER_TURN = 500

/** All rows of a history that match the filters, as CSV. The columns and their format are those of the reply. */
export async function readCsv<Raw, Row extends z.ZodObject>(
  db: Db,
  history: History<Raw, z.output<Row>>,
  row: Row,
  narrowing: Narrowing,
): Promise<string> {
  // One query, so that all rows come from one snapshot.
  const { days, filter } = partsOf(history, narrowing)
  const all = sql<Raw>`
    select * ${matching(history, days, filter)} order by ${newestFirst(history)} limit ${CSV_ROWS_MAX + 1}`
  const { rows } = await transaction(db, (tx) => all.execute(tx))
  if (rows.length > CSV_ROWS_MAX)
    throw new AppError('invalid_input', 'This file would be too long. Choose fewer days.', 'from')
  const columns = Object.keys(row.shape)
  const lines = [columns.join(',')]
  for (const [index, raw] of rows.entries()) {
    // Other calls must not wait until a long file is written.
    if (index % ROWS_PER_TURN === 0) await setImmediate()
    const sent = z.encode(row, history.rowOf(raw)) as Record<string, unknown>
    lines.push(columns.map((column) => cellOf(sent[column])).join(','))
  }
  return lines.map((line) => `${line}\r\n`).join('')
}

/**
 * One cell of a CSV file (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in front (R24);
 * numbers, which may be negative, stay as they are.
 */
export function cellOf(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value)
  const isFormula = /^\s*[=+@-]|^[\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text)
  const inert = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
