import { sql } from 'kysely'
import { type Day, dayOf } from '../../protocol/time.ts'
import type { Db } from './db.ts'

/** Where rules get the time from, so that tests can move it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** Today in UTC by the database's clock, which all processes share (R15); a test's clock is shared by its process. */
export async function readToday(db: Db, clock: Clock): Promise<Day> {
  if (clock !== systemClock) return dayOf(clock.now())
  const { rows } = await sql<{ today: Day }>`select (now() at time zone 'utc')::date as today`.execute(db)
  if (!rows[0]) throw new Error('the database did not tell the day')
  return rows[0].today
}
