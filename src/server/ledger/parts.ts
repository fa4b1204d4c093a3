import { type RawBuilder, sql } from 'kysely'

/**
 * The rows that transactions from `from` to just below `to` inserted; without `to`, all newer ones. Laws about history
 * check one part at a time: what is new, and an old slice.
 */
export type Part = { from: bigint; to?: bigint }

/** Transaction ids have 64 bits, but start at 3 and grow by one. */
const LAST = 2n ** 63n - 1n

/** Whether this is an old slice. What is true of the present is checked once, with what is new. */
export const isOld = (part?: Part): boolean => part?.to !== undefined

/** Whether a row with this `tx` is in the part. Without a part, every row is. */
export const inPart = (part: Part | undefined, column = 'tx'): RawBuilder<boolean> =>
  part
    ? sql`(${sql.ref(column)} >= ${part.from}::bigint and ${sql.ref(column)} < ${part.to ?? LAST}::bigint)`
    : sql`true`

/**
 * The same query, but wherever it names one of these tables, it sees only the rows of the part: a CTE with the name of a
 * table hides the table.
 */
export function within<Row>(
  part: Part | undefined,
  tables: readonly string[],
  query: RawBuilder<Row>,
): RawBuilder<Row> {
  if (!part) return query
  const parts = tables.map(
    (name) => sql`${sql.table(name)} as (select * from ${sql.table(name)} where ${inPart(part)})`,
  )
  return sql`with ${sql.join(parts)} select * from (${query}) as found`
}
