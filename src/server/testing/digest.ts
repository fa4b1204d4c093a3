import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'

/** A fingerprint of all rows of all tables, except those named: equal before and after means that nothing changed. */
export async function digestTables(db: Db, except: string[]): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and has_table_privilege(oid, 'select')
      and relname <> all (${except}) order by 1`.execute(db)
  const parts = rows.map(({ name }) =>
    sql<{ hash: string }>`
      select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as hash from ${sql.table(name)} t`.execute(
      db,
    ),
  )
  return (await Promise.all(parts)).map(({ rows: [row] }) => row?.hash).join(',')
}
