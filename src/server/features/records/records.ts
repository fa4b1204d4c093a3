import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import type { records } from '../../../protocol/records.ts'
import type { OutputOf } from '../../../protocol/route.ts'
import type { User } from '../../context.ts'
import type { Db } from '../../platform/db.ts'
import { type Part, parts } from './parts.ts'

/** Rows per reply, so that a long history neither holds a connection nor fills the memory. */
export const ROWS_MAX = 500

type Listed = OutputOf<typeof records.list>
type Cursor = NonNullable<Listed['next']>

/** The user's rows from the cursor on, table by table, and where to continue. */
export async function listRecords(db: Db, user: User, from?: Cursor): Promise<Pick<Listed, 'data' | 'next'>> {
  const names = Object.keys(parts)
  const start = from ? names.indexOf(from.part) : 0
  if (start < 0) throw new AppError('not_found', 'There is no such part', 'from')
  const data: Listed['data'] = {}
  let left = ROWS_MAX
  for (const [at, name] of names.slice(start).entries()) {
    const after = at === 0 ? (from?.after ?? []) : []
    const rows = await listRows(db, parts[name] as Part, user, { limit: left, after })
    data[name] = rows.map(({ row }) => row)
    left -= rows.length
    // The part may have ended exactly here. Then the next call finds no more rows in it and goes on.
    if (left === 0) return { data, next: { part: name, after: rows.at(-1)?.key ?? [] } }
  }
  return { data, next: null }
}

/** The database transaction that inserted a row. Only the audit uses it. */
const INTERNAL = ['tx']

type Row = { row: Listed['data'][string][number]; key: string[] }

/** The rows after a key. An index has them in this order, so the last rows of a table cost what the first ones do. */
async function listRows(db: Db, part: Part, user: User, { limit, after }: { limit: number; after: string[] }) {
  if (after.length > 0 && after.length !== part.order.length) throw unknownKey()
  const columns = part.order.map((column) => sql.ref(`t.${column}`))
  const isLater = after.length > 0 ? sql`(${sql.join(columns)}) > (${sql.join(after)})` : sql`true`
  const texts = columns.map((column) => sql`${column}::text`)
  const rows = sql<Row>`
    select (to_jsonb(t) - ${[...INTERNAL, ...(part.omit ?? [])]}::text[]) || ${part.add ?? sql`'{}'::jsonb`} as row,
      array[${sql.join(texts)}] as key
    from ${sql.table(part.table)} t
    where ${part.where(user)} and ${isLater}
    order by ${sql.join(columns)}
    limit ${limit}`
  return (await rows.execute(db).catch(asUnknownKey)).rows
}

const unknownKey = () => new AppError('invalid_input', 'There is no such row', 'from')

/** PostgreSQL's errors of class 22: a text of the key is not a value of its column. */
function asUnknownKey(error: { code?: string }): never {
  throw error.code?.startsWith('22') ? unknownKey() : error
}
