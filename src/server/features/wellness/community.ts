import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { ADDED_ONLY, type Counted, countDays, countRows } from '../../platform/history-days.ts'

/** All users' rows, counted by day as a history is, so that only those of the last days are counted again. */
const everyones = (name: string, at: string, rows: RawBuilder<unknown>): Counted<unknown> => ({
  ...{ name, owner: 0, at, order: [at], filters: [], changesFrom: ADDED_ONLY },
  rows: () => rows,
})

const players = everyones('players', 'created_at', sql`select created_at from users`)
// An entry can only be removed on the day it was made.
const workouts = everyones(
  'workouts',
  'created_at',
  sql`select created_at from wellness_entries where kind = 'workout' and removed_at is null`,
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
