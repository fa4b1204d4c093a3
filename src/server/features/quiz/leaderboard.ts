import { sql } from 'kysely'
import { addDays, type Day, dayOf } from '../../../protocol/time.ts'
import type { Db, Tx } from '../../platform/db.ts'
import type { GameId } from './tables.ts'

export type Period = 'day' | 'week' | 'ever'
const periods: Period[] = ['day', 'week', 'ever']
const ROWS_MAX = 20

/** The UTC day on which the current period began; weeks begin on Monday. */
export function periodStart(period: Period, now: Date): Day {
  const today = dayOf(now)
  if (period === 'day') return today
  return period === 'week' ? addDays(today, -((now.getUTCDay() + 6) % 7)) : ('1970-01-01' as Day)
}

export async function recordBest(
  tx: Tx,
  { userNumber, gameId, score, now }: { userNumber: number; gameId: GameId; score: number; now: Date },
): Promise<void> {
  if (score === 0) return
  for (const period of periods) {
    await sql`
      insert into quiz_bests (period, starts_on, user_number, score, game_id, reached_at)
      values (${period}, ${periodStart(period, now)}, ${userNumber}, ${score}, ${gameId}, ${now})
      on conflict (period, starts_on, user_number) do update
        set score = excluded.score, game_id = excluded.game_id, reached_at = excluded.reached_at
        where quiz_bests.score < excluded.score`.execute(tx)
  }
}

export async function setHidden(tx: Tx, userNumber: number, hide: boolean): Promise<void> {
  await tx.updateTable('users').set({ hides_from_boards: hide }).where('number', '=', userNumber).execute()
}

export type Leader = { rank: number; username: string; score: number; me: boolean }

/** Players who hide from the leaderboards are shown and counted only for themselves. */
const isVisibleTo = (userNumber: number) => sql`(not u.hides_from_boards or u.number = ${userNumber})`

export async function readLeaderboard(db: Db | Tx, period: Period, userNumber: number, now: Date) {
  const startsOn = periodStart(period, now)
  const { rows } = await sql<{ username: string; score: number; user_number: number }>`
    select u.username, b.score, b.user_number
    from quiz_bests b join users u on u.number = b.user_number
    where b.period = ${period} and b.starts_on = ${startsOn} and ${isVisibleTo(userNumber)}
    order by b.score desc, b.reached_at limit ${ROWS_MAX}`.execute(db)
  const data: Leader[] = rows.map(({ username, score, user_number }, index) => ({
    rank: index + 1,
    username,
    score,
    me: user_number === userNumber,
  }))
  const counted = await sql<{ players: number }>`
    select count(*)::int as players from quiz_bests b join users u on u.number = b.user_number
    where b.period = ${period} and b.starts_on = ${startsOn} and ${isVisibleTo(userNumber)}`.execute(db)
  const mine = data.find(({ me }) => me) ?? (await findOwn(db, period, startsOn, userNumber))
  const own = await db
    .selectFrom('users')
    .select('hides_from_boards as hidden')
    .where('number', '=', userNumber)
    .executeTakeFirstOrThrow()
  return { startsOn, data, mine: mine ?? null, players: counted.rows[0]?.players ?? 0, ...own }
}

async function findOwn(db: Db | Tx, period: Period, startsOn: Day, userNumber: number): Promise<Leader | undefined> {
  const { rows } = await sql<Leader>`
    select u.username, own.score, true as me, (
      select count(*)::int + 1 from quiz_bests b join users u on u.number = b.user_number
      where ${isVisibleTo(userNumber)} and b.period = own.period and b.starts_on = own.starts_on
        and (b.score > own.score or (b.score = own.score and b.reached_at < own.reached_at))) as rank
    from quiz_bests own join users u on u.number = own.user_number
    where own.period = ${period} and own.starts_on = ${startsOn} and own.user_number = ${userNumber}`.execute(db)
  return rows[0]
}
