import { randomBytes } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { AppError, type ErrorCode } from '../../../protocol/errors.ts'
import type { QuizTopic } from '../../../protocol/quiz.ts'
import { apply, newQuiz, pointsOf, type QuizEvent, type QuizState, quizRules } from '../../../protocol/quiz-engine.ts'
import { judge, type QuizAction } from '../../../protocol/quiz-judge.ts'
import { type Db, newId, type Tx } from '../../platform/db.ts'
import type { Tables } from '../../platform/tables.ts'
import { awardPoints } from '../users/points.ts'
import { recordSeen } from '../wellness/log.ts'
import { deal, removedSlots, rightSlot } from './dealer.ts'
import { recordBest } from './leaderboard.ts'
import type { GameId } from './tables.ts'

type DealtQuestion = { questionId: string; order: number[] }
export type Game = {
  row: Selectable<Tables['quiz_games']>
  state: QuizState
  events: number
  /** In the order of the question numbers: question 1 is at index 0. */
  deals: DealtQuestion[]
}

/** The game after the action, and the error if it was refused. Both can apply: an expired game is ended first. */
export type Answer = { game: Game; refused?: AppError }

export async function startGame(tx: Tx, userNumber: number, topic: QuizTopic | null, now: Date): Promise<Game> {
  // Lock the user's row, so that concurrent starts run one after the other.
  await sql`select 1 from users where number = ${userNumber} for update`.execute(tx)
  const open = await tx
    .selectFrom('quiz_games')
    .select('id')
    .where('user_number', '=', userNumber)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (open) await playAction(tx, await loadGame(tx, open.id, userNumber), { kind: 'end' }, now)
  const row = await tx
    .insertInto('quiz_games')
    .values({
      id: newId<'game'>(),
      user_number: userNumber,
      topic,
      seed: BigInt(randomBytes(4).readUInt32BE()),
      deal_seed: randomBytes(32),
      started_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { row, state: newQuiz(Number(row.seed)), events: 0, deals: [] }
}

/** Locks the caller's game and replays its events. Another user's game is not found (R6). */
export async function loadGame(tx: Tx, id: GameId, userNumber: number): Promise<Game> {
  const row = await tx
    .selectFrom('quiz_games')
    .selectAll()
    .where('id', '=', id)
    .where('user_number', '=', userNumber)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('not_found', 'There is no such game')
  const events = await tx.selectFrom('quiz_events').selectAll().where('game_id', '=', id).orderBy('number').execute()
  return {
    row,
    state: events.reduce((state, { event }) => apply(state, event), newQuiz(Number(row.seed))),
    events: events.length,
    deals: events.flatMap(({ question_id, option_order }) =>
      question_id && option_order ? [{ questionId: question_id, order: option_order }] : [],
    ),
  }
}

/** Judges an action by the server's clock and records the event. `score` is the score the client claims to have. */
export async function playAction(tx: Tx, game: Game, action: QuizAction, now: Date, score?: number): Promise<Answer> {
  const nowMs = now.getTime() - game.row.started_at.getTime()
  if (!game.state.end && nowMs >= quizRules.gameMaxMs) {
    const closed = await record(
      tx,
      game,
      { kind: 'end', atMs: Math.max(nowMs, game.state.atMs), reason: 'expired' },
      now,
    )
    return { game: closed, refused: new AppError('game_over', 'This game was left open too long and has ended.') }
  }
  const open = game.deals.at(-1)
  const secrets = open
    ? { right: rightSlot(open.order), removed: removedSlots(game.row.deal_seed, game.deals.length, open.order) }
    : { right: 0, removed: [] }
  const verdict = judge(game.state, action, nowMs, secrets)
  if ('refusal' in verdict) return refuse(game, game.state.end ? 'game_over' : 'shot_refused', verdict.refusal)
  if (score !== undefined && score !== game.state.score)
    return refuse(game, 'score_mismatch', `The score is ${game.state.score}, not ${score}.`)
  return { game: await record(tx, game, verdict.event, now) }
}

/** Deals the next question. If one is open, returns it again, or records an escape if its targets are gone. */
export async function dealNext(tx: Tx, game: Game, now: Date): Promise<Answer> {
  const { open } = game.state
  if (!open) return playAction(tx, game, { kind: 'deal' }, now)
  const escaped = await playAction(tx, game, { kind: 'escape', question: open.number }, now)
  return escaped.refused?.code === 'shot_refused' ? { game } : escaped
}

const refuse = (game: Game, code: ErrorCode, reason: string): Answer => ({ game, refused: new AppError(code, reason) })

async function record(tx: Tx, game: Game, event: QuizEvent, now: Date): Promise<Game> {
  const state = apply(game.state, event)
  const dealt = event.kind === 'deal' ? await chooseDeal(tx, game, state) : undefined
  const number = game.events + 1
  await tx
    .insertInto('quiz_events')
    .values({
      game_id: game.row.id,
      number,
      event: JSON.stringify(event) as never,
      question_id: dealt?.questionId ?? null,
      option_order: dealt?.order ?? null,
    })
    .execute()
  const after = { ...game, state, events: number, deals: dealt ? [...game.deals, dealt] : game.deals }
  return state.end ? finish(tx, after, now) : after
}

async function chooseDeal(tx: Tx, game: Game, state: QuizState): Promise<DealtQuestion> {
  const { row, deals } = game
  const { question, order } = deal(row.deal_seed, {
    number: state.dealt,
    level: state.level,
    topic: row.topic,
    dealt: new Set(deals.map(({ questionId }) => questionId)),
    recent: await listRecentQuestions(tx, row.user_number),
  })
  return { questionId: question.id, order }
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
async function finish(tx: Tx, game: Game, now: Date): Promise<Game> {
  const { state, row } = game
  const points = Math.min(pointsOf(state.score), await pointsLeftToday(tx, row.user_number, now))
  const ended = await tx
    .updateTable('quiz_games')
    .set({
      ended_at: now,
      end_reason: state.end,
      score: state.score,
      hits: state.hits,
      combo_best: state.comboBest,
      points,
    })
    .where('id', '=', row.id)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirstOrThrow()
  await awardPoints(tx, row.user_number, { source: 'quiz', reference: row.id, points })
  await recordSeen(tx, row.user_number, { kind: 'quiz', amount: state.hits, reference: row.id }, now)
  await recordBest(tx, { userNumber: row.user_number, gameId: row.id, score: state.score, now })
  return { ...game, row: ended }
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
