import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'

/**
 * A digest of all rows in all tables except the named ones. The same digest before and after means no change. A running
 * process renews its row in `event_publishers` whatever its callers do, so that table is left out.
 */
export async function digestTables(db: Db, except: string[]): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and has_table_privilege(oid, 'select')
      and relname <> all (${['event_publishers', ...except]}) order by 1`.execute(db)
  const parts = tables.map(
    ({ name }) => sql`
      select ${name} || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest
      from ${sql.table(name)} t`,
  )
  // One query for all tables: a query for each takes three times as long.
  const { rows } = await sql<{ digest: string }>`${sql.join(parts, sql` union all `)} order by digest`.execute(db)
  return rows.map(({ digest }) => digest).join('\n')
}
