import { randomBytes } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import type { QuizTopic } from '../../../protocol/quiz.ts'
import { newQuiz, pointsOf, type QuizEvent, type QuizState, quizRules } from '../../../protocol/quiz-engine.ts'
import { type Db, newId, type Tx } from '../../platform/db.ts'
import type { Tables } from '../../platform/tables.ts'
import { awardPoints } from '../users/points.ts'
import { recordSeen } from '../wellness/log.ts'
import { recordBest } from './leaderboard.ts'
import { decide, follow, type Game, type Move, replayed } from './moves.ts'
import type { GameId } from './tables.ts'

export type UserGame = Game<Selectable<Tables['quiz_games']>>

const START_LOCK = 7_150

/**
 * Ends the open game, if there is one, and begins another. Starts of one user run one after the other. They have a lock
 * of their own, because every call about a game locks first the game and then, if the game ends, the player.
 */
export async function startGame(tx: Tx, userNumber: number, topic: QuizTopic | null, now: Date): Promise<UserGame> {
  await sql`select pg_advisory_xact_lock(${START_LOCK}::int, ${userNumber}::int)`.execute(tx)
  const open = await tx
    .selectFrom('quiz_games')
    .select('id')
    .where('user_number', '=', userNumber)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (open) await play(tx, await loadGame(tx, open.id, userNumber), { kind: 'end' }, now)
  const row = await tx
    .insertInto('quiz_games')
    .values({ id: newId<'game'>(), user_number: userNumber, topic, ...newSeeds(), started_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { row, state: newQuiz(Number(row.seed)), events: 0, deals: [] }
}

export const newSeeds = () => ({ seed: BigInt(randomBytes(4).readUInt32BE()), deal_seed: randomBytes(32) })

const lockPlayer = (tx: Tx, userNumber: number) =>
  sql`select 1 from users where number = ${userNumber} for update`.execute(tx)

/** Locks the caller's game and replays its events. Another user's game is not found (R6). */
export async function loadGame(tx: Tx, id: GameId, userNumber: number): Promise<UserGame> {
  const row = await tx
    .selectFrom('quiz_games')
    .selectAll()
    .where('id', '=', id)
    .where('user_number', '=', userNumber)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('not_found', 'There is no such game')
  return replayed(
    row,
    await tx.selectFrom('quiz_events').selectAll().where('game_id', '=', id).orderBy('number').execute(),
  )
}

/** Judges a move and stores its event. */
export async function play(tx: Tx, game: UserGame, move: Move, now: Date) {
  const { event, refused } = decide(game, move, now)
  return { game: event ? await record(tx, game, event, now) : game, refused }
}

async function record(tx: Tx, game: UserGame, event: QuizEvent, now: Date): Promise<UserGame> {
  const { id, user_number } = game.row
  const recent = event.kind === 'deal' ? await listRecentQuestions(tx, user_number) : new Set<string>()
  const { after, stored } = follow(game, event, { recent, planned: [] })
  const columns = { ...stored, event: JSON.stringify(event) as never }
  await tx
    .insertInto('quiz_events')
    .values({ game_id: id, number: after.events, ...columns })
    .execute()
  return after.state.end ? finish(tx, after, now) : after
}

const RECENT_GAMES = 3

async function listRecentQuestions(tx: Tx, userNumber: number): Promise<Set<string>> {
  const { rows } = await sql<{ question_id: string }>`
    select e.question_id from quiz_events e
    where e.question_id is not null and e.game_id in (
      select id from quiz_games where user_number = ${userNumber} order by ended_at desc nulls first limit ${RECENT_GAMES})
  `.execute(tx)
  return new Set(rows.map(({ question_id }) => question_id))
}

/** Writes the result once: score, points up to the daily limit, and best scores. */
async function finish(tx: Tx, game: UserGame, now: Date): Promise<UserGame> {
  const { state, row } = game
  const ended = await tx
    .updateTable('quiz_games')
    .set(await resultColumns(tx, row.user_number, state, now))
    .where('id', '=', row.id)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordSeen(tx, row.user_number, { kind: 'quiz', amount: state.hits, reference: row.id }, now)
  await reward(tx, ended, now)
  return { ...game, row: ended }
}

/** Locks the player, so that two games that end at once cannot exceed the day's points together. */
export async function resultColumns(tx: Tx, userNumber: number, state: QuizState, now: Date) {
  await lockPlayer(tx, userNumber)
  const points = Math.min(pointsOf(state.score), await pointsLeftToday(tx, userNumber, now))
  const { end, score, hits, comboBest } = state
  return { ended_at: now, end_reason: end, score, hits, combo_best: comboBest, points }
}

/** Points and best scores of a game that has ended. */
export async function reward(tx: Tx, { id, user_number, score, points }: UserGame['row'], now: Date): Promise<void> {
  await awardPoints(tx, user_number, { source: 'quiz', reference: id, points: points ?? 0 })
  await recordBest(tx, { userNumber: user_number, gameId: id, score: score ?? 0, now })
}

export async function pointsLeftToday(db: Db | Tx, userNumber: number, now: Date): Promise<number> {
  const { rows } = await sql<{ given: number }>`
    select coalesce(sum(points), 0)::int as given from quiz_games
    where user_number = ${userNumber} and ended_at >= date_trunc('day', ${now}::timestamptz, 'UTC')`.execute(db)
  return Math.max(0, quizRules.pointsPerDayMax - (rows[0]?.given ?? 0))
}

/** Games their players abandoned. The caller ends them with their current scores, so that the scores count. */
export async function listAbandonedGames(tx: Tx, now: Date): Promise<{ id: GameId; user_number: number }[]> {
  return tx
    .selectFrom('quiz_games')
    .select(['id', 'user_number'])
    .where('ended_at', 'is', null)
    .where('started_at', '<', new Date(now.getTime() - quizRules.gameMaxMs))
    .orderBy('started_at')
    .limit(500)
    .execute()
}
