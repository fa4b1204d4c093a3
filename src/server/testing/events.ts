import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'

/** Whether a process listens for events of this database. Events published earlier are lost. */
export async function isListening(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and state = 'idle' and query like 'listen %'`.execute(
    db,
  )
  return rows.length > 0
}
