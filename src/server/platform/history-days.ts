import { type RawBuilder, sql } from 'kysely'
import { addDays, type Day } from '../../protocol/time.ts'
import { type Db, type Tx, transaction } from './db.ts'

/** Days are UTC, and both are included. */
export type Days = { from?: Day | undefined; to?: Day | undefined }
/** The values that some columns must have. */
export type Filter = Record<string, unknown>

/** Rows of one owner, newest first. */
export type Counted<Raw> = {
  /** Names the history in `history_days`. */
  name: string
  owner: number | bigint
  /** All rows, or at least those of the given days, for queries that need the days to use an index. */
  rows: (days: Days) => RawBuilder<Raw>
  /** The column with the time, or with the UTC day. */
  at: string
  atIsDay?: true
  /** The columns that order the rows. All of them descend, so that the newest row comes first. */
  order: [string, ...string[]]
  /** The order can differ from that of `at`, but never for rows that are two days apart. */
  atIsRough?: true
  /** The columns that a filter can name. Their values are never null. */
  filters: string[]
  /** A day before which there are no rows, as SQL, if that is cheaper to find than the oldest row. */
  beginsOn?: RawBuilder<Day>
  /** Rows that each sum up many others are counted earlier: when there are more than so many. */
  uncountedMax?: number
  /** The first day whose rows can still change, as SQL. Null if that is not known: then no day is counted in advance. */
  changesFrom: RawBuilder<Day> | null
}

/** For rows that are only ever added, with the time of their transaction. No transaction is open for a whole day. */
export const ADDED_ONLY: RawBuilder<Day> = sql`((now() - interval '1 day') at time zone 'utc')::date`

/** Above so many rows that are not counted yet, the days that are complete are counted. */
export const UNCOUNTED_ROWS_MAX = 1_000
const CHUNK_DAYS = 31
/** A call counts for so long, then leaves the rest to the next one: nobody waits for years of a list to be counted. */
const COUNT_MS_MAX = 250

/** Text that PostgreSQL reads as a time or as a day, whichever the column has. */
export const startOf = (day: Day): string => `${day}T00:00:00Z`

/** The rows of some days that match a filter, as the `from` and `where` of a query. */
export function matching<Raw>(history: Counted<Raw>, { from, to }: Days, filter: Filter = {}) {
  const conditions = conditionsOf(filter)
  if (from) conditions.push(sql`${sql.ref(history.at)} >= ${startOf(from)}`)
  if (to) conditions.push(sql`${sql.ref(history.at)} < ${startOf(addDays(to, 1))}`)
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  return sql`from (${history.rows({ from, to })}) as history ${where}`
}

const conditionsOf = (filter: Filter): RawBuilder<unknown>[] =>
  Object.entries(filter).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)

const daysOf = ({ name, owner }: Pick<Counted<unknown>, 'name' | 'owner'>, filter: Filter) => sql`
  history_days where history = ${name} and owner = ${owner} and filter = ${JSON.stringify(filter)}::jsonb`

/** How many rows there are up to the end of a day that is counted, or of the last day counted before it. */
export const rowsUntil = ({ name, owner }: Pick<Counted<unknown>, 'name' | 'owner'>, day: Day, filter: Filter = {}) =>
  sql`history_rows_until(${name}, ${owner}, ${JSON.stringify(filter)}, ${day})`

/** The last day that is counted. Earlier days without a row in `history_days` have no rows. */
export const lastCounted = ({ name, owner }: Pick<Counted<unknown>, 'name' | 'owner'>) =>
  sql<Day | null>`history_last_day(${name}, ${owner})`

/** Rows that match: `before` the given days, on those that are counted, and after the last counted day. */
export type Counts = { last: Day | null; before: number; counted: number; uncounted: number; scanned: number }

/** Exact: rows are never added to a counted day, so it does not matter if another one is counted between the queries. */
export async function countRows<Raw>(
  db: Db,
  history: Counted<Raw>,
  { from, to }: Days,
  filter: Filter,
): Promise<Counts> {
  const { rows } = await sql<{ last: Day | null; before: bigint; until: bigint }>`
    select ${lastCounted(history)} as last,
      ${from ? rowsUntil(history, addDays(from, -1), filter) : sql`0::bigint`} as before,
      ${rowsUntil(history, to ?? LAST_DAY, filter)} as until`.execute(db)
  const { last = null, before = 0n, until = 0n } = rows[0] ?? {}
  const kept = { last, before: Number(before), counted: Math.max(0, Number(until - before)) }
  const first = last ? later(from, addDays(last, 1)) : from
  if (first && to && first > to) return { ...kept, uncounted: 0, scanned: 0 }
  const matches = conditionsOf(filter)
  const { rows: counts } = await sql<{ scanned: bigint; uncounted: bigint }>`
    select count(*) as scanned,
      count(*) ${matches.length > 0 ? sql`filter (where ${sql.join(matches, sql` and `)})` : sql``} as uncounted
    ${matching(history, { from: first, to })}`.execute(db)
  return { ...kept, uncounted: Number(counts[0]?.uncounted ?? 0n), scanned: Number(counts[0]?.scanned ?? 0n) }
}

const LAST_DAY = '2999-12-31' as Day
const later = (a: Day | undefined, b: Day): Day => (a && a > b ? a : b)
const earlier = (a: Day, b: Day): Day => (a < b ? a : b)

/** The part of a history that has a page: some days, and how many of their rows come before the page. */
export type Span = { days: Days; offset: number }

/** Where the rows from `offset` on are. Undefined if there are none. */
export async function findSpan<Raw>(
  db: Db,
  history: Counted<Raw>,
  {
    days,
    filter,
    counts,
    offset,
    limit,
  }: { days: Days; filter: Filter; counts: Counts; offset: number; limit: number },
): Promise<Span | undefined> {
  const { last, before, counted, uncounted } = counts
  const left = counted + uncounted - offset
  if (left <= 0) return undefined
  if (!last) return { days, offset }
  const slack = history.atIsRough ? 1 : 0
  // Ranks count from the oldest row.
  const find = (rank: number) => (rank > before + counted ? undefined : findDay(db, history, filter, rank))
  const [newest, oldest] = [await find(before + left), await find(before + Math.max(1, left - limit + 1))]
  const lower = later(days.from, addDays(oldest?.day ?? addDays(last, 1), -slack))
  const upper = newest && addDays(newest.day, slack)
  if (!newest || !upper || upper > last) return { days: { from: lower, to: days.to }, offset }
  const to = days.to ? earlier(days.to, upper) : upper
  const { rows } = await sql<{ until: bigint }>`select ${rowsUntil(history, to, filter)} as until`.execute(db)
  return { days: { from: lower, to }, offset: Number(rows[0]?.until ?? 0n) - (before + left) }
}

async function findDay<Raw>(db: Db, history: Counted<Raw>, filter: Filter, rank: number): Promise<{ day: Day }> {
  const { rows } = await sql<{ day: Day }>`
    select day from ${daysOf(history, filter)} and rows_until >= ${rank} order by rows_until limit 1`.execute(db)
  if (!rows[0]) throw new Error(`history_days has no row ${rank} of ${history.name} of ${history.owner}`)
  return rows[0]
}

/**
 * Counts the days that are complete, if `counts` shows that it is worth it: then the next page is found by look-ups.
 * One transaction per month, at least one, and no new one after `msMax`.
 */
export async function countDays<Raw>(
  db: Db,
  history: Counted<Raw>,
  { last, scanned }: Counts,
  msMax = COUNT_MS_MAX,
): Promise<void> {
  const endMs = performance.now() + msMax
  const { changesFrom, uncountedMax = UNCOUNTED_ROWS_MAX } = history
  if (!changesFrom || scanned <= uncountedMax) return
  const { rows } = await sql<{ open: Day | null }>`select ${changesFrom} as open`.execute(db)
  const open = rows[0]?.open
  if (!open) return
  const complete = addDays(open, -1)
  let from = last ? addDays(last, 1) : await findFirstDay(db, history)
  do {
    if (!from || from > complete) return
    const days = { from, to: earlier(complete, addDays(from, CHUNK_DAYS - 1)) }
    await transaction(db, (tx) => countChunk(tx, history, days))
    from = addDays(days.to, 1)
  } while (performance.now() < endMs)
}

/** Two processes may count the same days. They get the same counts, because those days no longer change. */
async function countChunk<Raw>(tx: Tx, history: Counted<Raw>, days: { from: Day; to: Day }): Promise<void> {
  await sql`
    insert into history_days (history, owner, filter, day, rows_until)
    select ${history.name}, ${history.owner}, filter, day, coalesce((
        select rows_until from history_days d where d.history = ${history.name} and d.owner = ${history.owner}
          and d.filter = counts.filter and d.day < ${days.from}::date order by d.day desc limit 1), 0)
      + sum(added) over (partition by filter order by day)
    from (${countsOfDays(history, days)}) as counts
    order by filter, day
    on conflict do nothing`.execute(tx)
}

/**
 * How many rows each day adds, for every filter. The rows are grouped first: PostgreSQL does not use the days to look them
 * up where `cube` groups a union, but reads the whole list.
 */
export function countsOfDays<Raw>(history: Counted<Raw>, days: Days) {
  const columns = history.filters.map((column) => sql.ref(column))
  const named = history.filters.flatMap((column) => [sql.lit(column), sql.ref(column)])
  return sql`
    select jsonb_strip_nulls(jsonb_build_object(${sql.join(named)})) as filter, day, sum(added) as added
    from (
      select ${sql.join([sql`${dayOfRow(history)} as day`, ...columns])}, count(*) as added
      ${matching(history, days)}
      group by ${sql.join([dayOfRow(history), ...columns])}
    ) as groups
    group by day ${columns.length > 0 ? sql`, cube (${sql.join(columns)})` : sql``}`
}

const dayOfRow = ({ at, atIsDay }: Counted<unknown>) =>
  atIsDay ? sql.ref(at) : sql`(${sql.ref(at)} at time zone 'utc')::date`

/** A day before which there are no rows. In a rough order, a row may be of the day before the first one. */
async function findFirstDay<Raw>(db: Db, history: Counted<Raw>): Promise<Day | undefined> {
  const order = sql.join(history.order.map((column) => sql.ref(column)))
  const oldest = sql<Day>`select ${dayOfRow(history)} as day ${matching(history, {})} order by ${order} limit 1`
  const { rows } = await sql<{ day: Day }>`select (${history.beginsOn ?? oldest}) as day`.execute(db)
  const day = rows[0]?.day
  return day && addDays(day, history.atIsRough ? -1 : 0)
}
