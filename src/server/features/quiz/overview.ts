import { sql } from 'kysely'
import { quizRules } from '../../../protocol/quiz-engine.ts'
import type { Db } from '../../platform/db.ts'
import { pointsLeftToday } from './games.ts'
import type { GameId } from './tables.ts'

const RECENT_MAX = 5

/** The player's figures on the start page of the game. */
export async function readOverview(db: Db, userNumber: number, now: Date) {
  const { rows } = await sql<{ best: number; games: number; points: number }>`
    select coalesce(max(score), 0)::int as best, count(*)::int as games, coalesce(sum(points), 0)::int as points
    from quiz_games where user_number = ${userNumber} and ended_at is not null`.execute(db)
  const recent = await sql<{ id: GameId; score: number; hits: number; points: number; ended_at: Date }>`
    select id, score, hits, points, ended_at from quiz_games
    where user_number = ${userNumber} and ended_at is not null
    order by ended_at desc limit ${RECENT_MAX}`.execute(db)
  const open = await db
    .selectFrom('quiz_games')
    .select('id')
    .where('user_number', '=', userNumber)
    .where('ended_at', 'is', null)
    .where('started_at', '>', new Date(now.getTime() - quizRules.gameMaxMs))
    .executeTakeFirst()
  const totals = rows[0] ?? { best: 0, games: 0, points: 0 }
  return {
    ...totals,
    points_left_today: await pointsLeftToday(db, userNumber, now),
    open_game: open?.id ?? null,
    recent: recent.rows,
  }
}
