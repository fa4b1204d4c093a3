import { type RawBuilder, sql } from 'kysely'
import type { Day } from '../../../protocol/time.ts'
import type { Db } from '../../platform/db.ts'
import { ADDED_ONLY, type Counted, countDays, countRows } from '../../platform/history-days.ts'

/** All users' rows, counted by day as a history is, so that only those of the last days are counted again. */
const everyones = (
  name: string,
  at: string,
  rows: RawBuilder<unknown>,
  changesFrom = ADDED_ONLY,
): Counted<unknown> => ({
  ...{ name, owner: 0, at, order: [at], filters: [], changesFrom },
  rows: () => rows,
})

// An entry can only be removed on the day it was made, and a day of a user who travels west can last 50 hours.
const REMOVABLE_DAYS = 3
const REMOVABLE: RawBuilder<Day> = sql`((now() - make_interval(days => ${REMOVABLE_DAYS})) at time zone 'utc')::date`

const players = everyones('players', 'created_at', sql`select created_at from users`)
const workouts = everyones(
  'workouts',
  'created_at',
  sql`select created_at from wellness_entries where kind = 'workout' and removed_at is null`,
  REMOVABLE,
)
const challenges = everyones('challenges', 'completed_at', sql`select completed_at from wellness_completions`)

/** Registered users, logged workouts and completed challenges. */
export async function countEverything(db: Db) {
  const count = async (rows: Counted<unknown>) => {
    const counts = await countRows(db, rows, {}, {})
    await countDays(db, rows, counts)
    return counts.counted + counts.uncounted
  }
  return { players: await count(players), workouts: await count(workouts), challenges: await count(challenges) }
}
