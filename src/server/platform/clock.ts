import { sql } from 'kysely'
import { type Day, dayOf } from '../../protocol/time.ts'
import type { Db } from './db.ts'

/** The source of the current time, so that tests can control it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** Today in UTC by the database's clock, which all processes share (R15). Tests use their own clock. */
export async function readToday(db: Db, clock: Clock): Promise<Day> {
  if (clock !== systemClock) return dayOf(clock.now())
  const { rows } = await sql<{ today: Day }>`select (now() at time zone 'utc')::date as today`.execute(db)
  if (!rows[0]) throw new Error('the database did not return the date')
  return rows[0].today
}
