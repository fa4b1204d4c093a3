import type { Selectable } from 'kysely'
import { AppError, type ErrorCode } from '../../../protocol/errors.ts'
import {
  apply,
  newQuiz,
  type QuizEvent,
  type QuizPower,
  type QuizState,
  quizRules,
} from '../../../protocol/quiz-engine.ts'
import { judge, type QuizAction } from '../../../protocol/quiz-judge.ts'
import type { Tables } from '../../platform/tables.ts'
import { deal, orderOf, removedSlots, rightSlot } from './dealer.ts'

/** Judges moves by the server's clock. Games of users and of guests are stored differently, but judged here alike. */

export type DealtQuestion = { questionId: string; order: number[] }
type QuizRow = Pick<Selectable<Tables['quiz_games']>, 'id' | 'topic' | 'seed' | 'deal_seed' | 'started_at'>
export type Game<Row extends QuizRow = QuizRow> = {
  row: Row
  state: QuizState
  events: number
  /** In the order of the question numbers: question 1 is at index 0. */
  deals: DealtQuestion[]
}
/** A stored event. A deal also has its question. */
export type StoredEvent = { event: QuizEvent; question_id: string | null; option_order: number[] | null }

export type Move =
  | { kind: 'show' }
  | { kind: 'deal' }
  /** `score`: what the client claims to have. Without a question it is only compared with the server's (R12). */
  | {
      kind: 'shoot'
      score: number
      question?: number | undefined
      option?: number | null | undefined
      at_ms?: number | undefined
      aim?: number | undefined
    }
  | { kind: 'power'; question: number; power: QuizPower }
  | { kind: 'pause'; question: number }
  | { kind: 'end' }

/** The event to store, and the error if the move was refused. Both can apply: an expired game is ended first. */
export type Decision = { event?: QuizEvent; refused?: AppError }

/** Replays the stored events of a game. */
export const replayed = <Row extends QuizRow>(row: Row, rows: StoredEvent[]): Game<Row> => ({
  row,
  state: rows.reduce((state, { event }) => apply(state, event), newQuiz(Number(row.seed))),
  events: rows.length,
  deals: rows.flatMap(({ question_id, option_order }) =>
    question_id && option_order ? [{ questionId: question_id, order: option_order }] : [],
  ),
})

export function decide(game: Game, move: Move, now: Date): Decision {
  const { state, row } = game
  if (move.kind === 'show' || (move.kind === 'end' && state.end)) return {}
  const nowMs = now.getTime() - row.started_at.getTime()
  if (!state.end && nowMs >= quizRules.gameMaxMs) {
    const event: QuizEvent = { kind: 'end', atMs: Math.max(nowMs, state.atMs), reason: 'expired' }
    return move.kind === 'end'
      ? { event }
      : { event, ...refuse('game_over', 'This game was left open too long and has ended.') }
  }
  if (move.kind === 'deal') return decideDeal(game, nowMs)
  if (move.kind !== 'shoot') return decideAction(game, move, nowMs)
  const { score, question, option, at_ms, aim } = move
  if (question === undefined || option === undefined) return confirmScore(state, score)
  const action: QuizAction =
    option === null ? { kind: 'escape', question } : { kind: 'shot', question, option, claimedMs: at_ms, aim }
  const decision = decideAction(game, action, nowMs)
  return decision.event && score !== state.score ? wrongScore(state, score) : decision
}

/** Deals the next question. If one is open, it stays, or escapes if its targets are gone. */
function decideDeal(game: Game, nowMs: number): Decision {
  const { open } = game.state
  if (!open) return decideAction(game, { kind: 'deal' }, nowMs)
  const escaped = decideAction(game, { kind: 'escape', question: open.number }, nowMs)
  return escaped.event ? escaped : {}
}

function decideAction({ state, row, deals }: Game, action: QuizAction, nowMs: number): Decision {
  const open = deals.at(-1)
  const secrets = open
    ? { right: rightSlot(open.order), removed: removedSlots(row.deal_seed, deals.length, open.order) }
    : { right: 0, removed: [] }
  const verdict = judge(state, action, nowMs, secrets)
  return 'refusal' in verdict ? refuse(state.end ? 'game_over' : 'shot_refused', verdict.refusal) : verdict
}

/** The specification's bare `{score}` is only compared with the server's score (R12). */
function confirmScore(state: QuizState, score: number): Decision {
  if (state.end) return refuse('game_over', 'This game is over.')
  return score === state.score ? {} : wrongScore(state, score, 'score')
}

const wrongScore = (state: QuizState, score: number, field?: string) =>
  refuse('score_mismatch', `The score is ${state.score}, not ${score}.`, field)

const refuse = (code: ErrorCode, reason: string, field?: string) => ({ refused: new AppError(code, reason, field) })

/** `recent`: questions to avoid if possible. `planned`: the first questions of a duel. */
type Wanted = { recent: ReadonlySet<string>; planned: readonly string[] }

/** The game after the event, and what is to be stored. */
export function follow<Row extends QuizRow>(game: Game<Row>, event: QuizEvent, wanted: Wanted) {
  const state = apply(game.state, event)
  const dealt = event.kind === 'deal' ? chooseDeal(game, state, wanted) : undefined
  const deals = dealt ? [...game.deals, dealt] : game.deals
  const stored: StoredEvent = { event, question_id: dealt?.questionId ?? null, option_order: dealt?.order ?? null }
  return { after: { ...game, state, events: game.events + 1, deals }, stored }
}

function chooseDeal({ row, deals }: Game, state: QuizState, { recent, planned }: Wanted): DealtQuestion {
  const next = planned[state.dealt - 1]
  if (next) return { questionId: next, order: orderOf(row.deal_seed, state.dealt) }
  const { question, order } = deal(row.deal_seed, {
    number: state.dealt,
    level: state.level,
    topic: row.topic,
    dealt: new Set(deals.map(({ questionId }) => questionId)),
    recent,
  })
  return { questionId: question.id, order }
}
