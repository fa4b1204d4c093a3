import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

/** Registered users, logged workouts and completed challenges. */
export async function countEverything(db: Db) {
  const { rows } = await sql<Record<'players' | 'workouts' | 'challenges', bigint>>`
    select
      (select count(*) from users) as players,
      (select count(*) from wellness_entries where kind = 'workout' and removed_at is null) as workouts,
      (select count(*) from wellness_completions) as challenges`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('the counts returned no row')
  return {
    players: Number(counts.players),
    workouts: Number(counts.workouts),
    challenges: Number(counts.challenges),
  }
}
