import type { QueryConfig } from 'pg'
import { WAIT_FOR_STANDBY } from '../platform/standby.ts'
import { arrayOf, callOf, digestOf, legsOf, type Posting, parameters, type Row, replyOf, stringify } from './posting.ts'

export type Request = { posting: Posting; rows: readonly Row[] }

/** A repeat writes nothing, so without a record it could be answered before the first posting is on the standby (R26). */
const ANSWER = `outcome, answer, case outcome when 'repeated' then ${WAIT_FOR_STANDBY} end as wal_record`

/** One statement that posts a batch and inserts its rows. `locked` takes the locks first, after a lost race. */
export function queryOf(batch: readonly Request[], locked: boolean): QueryConfig {
  const [first] = batch
  const { call, values } = first && batch.length === 1 ? callOf(first.posting) : groupCallOf(batch, locked)
  const tables = tablesOf(batch)
  if (tables.length === 0) return prepared(`select ${ANSWER} from ${call}`, values)
  const inserts = tables.map(({ table, columns }, at) => insertOf(table, columns, at, values.length + at + 1))
  const text = `
    with result as materialized (select * from ${call} with ordinality as result (outcome, answer, place)),
    ${inserts.join(',')}
    select ${ANSWER} from result order by place`
  return prepared(text, [...values, ...tables.map(({ rows }) => stringify(rows))])
}

function groupCallOf(batch: readonly Request[], locked: boolean): { call: string; values: unknown[] } {
  const postings = batch.map(({ posting }) => posting)
  const legs = legsOf(postings.flatMap(({ movements }) => movements))
  const owners = postings.flatMap(({ movements }, at) => movements.map(() => at + 1))
  const values = [
    arrayOf(postings.map(({ kind }) => kind)),
    arrayOf(postings.map(({ reference }) => reference)),
    arrayOf(postings.map(digestOf)),
    postings.map(replyOf),
    arrayOf(owners),
    ...legs.map(arrayOf),
    locked,
  ]
  return { call: `ledger_post_group(${parameters(9)})`, values }
}

type TableRows = { table: string; columns: string[]; rows: { place: number; row: object }[] }

/** Groups the batch's rows by table and columns. `place` is the position of the posting in the batch, from 1. */
function tablesOf(batch: readonly Request[]): TableRows[] {
  const tables = new Map<string, TableRows>()
  batch.forEach(({ rows }, at) => {
    for (const { table, values } of rows) {
      const columns = Object.keys(values)
      const key = [table, ...columns].join()
      const known = tables.get(key) ?? { table, columns, rows: [] }
      tables.set(key, known)
      known.rows.push({ place: at + 1, row: values })
    }
  })
  return [...tables.values()]
}

function insertOf(table: string, columns: string[], at: number, parameter: number): string {
  return `written_${at} as (
    insert into ${quote(table)} (${columns.map(quote).join(', ')})
    select ${columns.map((column) => `filled.${quote(column)}`).join(', ')}
    from result
    join jsonb_to_recordset($${parameter}) as given (place bigint, row jsonb) using (place),
      jsonb_populate_record(null::${quote(table)}, given.row) as filled
    where outcome = 'posted')`
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

// There are few distinct statements, so each connection prepares each of them once.
const names = new Map<string, string>()
function prepared(text: string, values: unknown[]): QueryConfig {
  const name = names.get(text) ?? `ledger_${names.size}`
  names.set(text, name)
  return { name, text, values }
}
