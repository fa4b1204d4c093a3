import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { CHANNEL } from '../platform/events.ts'

/** The last statement of a connection that listens: LISTEN, a heartbeat or the sending of events. */
export const USES_CHANNEL = `query like '%${CHANNEL}%'`

/** Whether a process listens for events of this database. Events published earlier are lost. */
export async function isListening(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and state = 'idle' and ${sql.raw(USES_CHANNEL)}`.execute(
    db,
  )
  return rows.length > 0
}
