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
    const offset = at === 0 ? (from?.offset ?? 0) : 0
    const rows = await listRows(db, parts[name] as Part, user, { limit: left, offset })
    data[name] = rows
    left -= rows.length
    // The part may have ended exactly here. Then the next call finds no more rows in it and goes on.
    if (left === 0) return { data, next: { part: name, offset: offset + rows.length } }
  }
  return { data, next: null }
}

/** The database transaction that inserted a row. Only the audit uses it. */
const INTERNAL = ['tx']

type Row = Listed['data'][string][number]

async function listRows(db: Db, part: Part, user: User, { limit, offset }: { limit: number; offset: number }) {
  const { rows } = await sql<{ row: Row }>`
    select (to_jsonb(t) - ${[...INTERNAL, ...(part.omit ?? [])]}::text[]) || ${part.add ?? sql`'{}'::jsonb`} as row
    from ${sql.table(part.table)} t
    where ${part.where(user)}
    order by ${sql.join(part.order.map((column) => sql.ref(`t.${column}`)))}
    limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ row }) => row)
}
