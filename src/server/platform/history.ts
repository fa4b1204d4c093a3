import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../protocol/errors.ts'
import { addDays, type Day } from '../../protocol/time.ts'
import { type Db, type Tx, transaction } from './db.ts'
import { type Paging, sliceOf } from './pages.ts'

/**
 * A list of what happened to one user: a query for all its rows, and how they become rows of the reply. A row that is
 * shown counts as acknowledged (R26), so histories are read in a transaction, whose commit waits for the standby.
 */
export type History<Raw, Row> = {
  rows: RawBuilder<Raw>
  /** The column of `rows` with the time or the UTC day. */
  at: string
  /** The columns that order the rows. All of them descend, so that the newest row comes first. */
  order: [string, ...string[]]
  rowOf: (raw: Raw) => Row
}

/** Every other field is a filter: the column of that name must have that value. */
type Narrowing = { from?: Day | undefined; to?: Day | undefined; [column: string]: unknown }

/** One page of a history, and how many rows match the filters in all. */
export function readPage<Raw, Row>(db: Db, history: History<Raw, Row>, input: Paging & Narrowing) {
  return transaction(db, (tx) => readPageIn(tx, history, input))
}

async function readPageIn<Raw, Row>(tx: Tx, history: History<Raw, Row>, input: Paging & Narrowing) {
  const { page_no: _no, page_size: _size, ...narrowing } = input
  const { page_no, page_size, offset } = sliceOf(input)
  const matching = matchingRows(history, narrowing)
  const { rows } = await sql<Raw>`
    select * ${matching} order by ${orderOf(history)} limit ${page_size} offset ${offset}`.execute(tx)
  const { rows: counts } = await sql<{ total: bigint }>`select count(*) as total ${matching}`.execute(tx)
  return { data: rows.map(history.rowOf), page_no, page_size, total: Number(counts[0]?.total ?? 0n) }
}

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
  const all = sql<Raw>`
    select * ${matchingRows(history, narrowing)} order by ${orderOf(history)} limit ${CSV_ROWS_MAX + 1}`
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

/** Filters are conditions on the columns of the whole query. PostgreSQL moves them into its parts, where the indexes are. */
function matchingRows<Raw, Row>({ rows, at }: History<Raw, Row>, { from, to, ...filters }: Narrowing) {
  const conditions = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  if (from) conditions.push(sql`${sql.ref(at)} >= ${startOf(from)}`)
  if (to) conditions.push(sql`${sql.ref(at)} < ${startOf(addDays(to, 1))}`)
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  return sql`from (${rows}) as history ${where}`
}

/** Text that PostgreSQL reads as a time or as a day, whichever the column has. */
const startOf = (day: Day): string => `${day}T00:00:00Z`

const orderOf = <Raw, Row>({ order }: History<Raw, Row>) =>
  sql.join(order.map((column) => sql`${sql.ref(column)} desc`))

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
