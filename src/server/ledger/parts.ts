import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../platform/db.ts'

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

/** About five million entries. PostgreSQL joins so many with their source in seconds. */
const SAMPLED_ROWS = 5_000
const SAMPLED_PERCENT = 0.1

/**
 * All of a history that is too long for one statement, in parts of about as many entries each. A sample of them says where
 * the parts begin. A shorter history is one part.
 */
export async function partsOfAll(tx: Tx, rowsMax = SAMPLED_ROWS, percent = SAMPLED_PERCENT): Promise<Part[]> {
  const { rows } = await sql<{ from: bigint }>`
    select distinct tx as from
    from (select tx, row_number() over (order by tx) - 1 as place from ledger_entries tablesample system (${percent})) sampled
    where place > 0 and place % ${rowsMax}::int = 0
    order by tx`.execute(tx)
  const starts = [0n, ...rows.map(({ from }) => from)]
  return starts.map((from, at) => ({ from, to: starts[at + 1] ?? LAST }))
}
