import type { Generated } from 'kysely'
import type { Id } from '../../../protocol/ids.ts'
import type { QuizTopic } from '../../../protocol/quiz.ts'
import type { QuizEnd, QuizEvent } from '../../../protocol/quiz-engine.ts'
import type { StoredEvent } from './moves.ts'

export type GameId = Id<'game'>

export type QuizTables = {
  quiz_games: {
    id: GameId
    user_number: number
    topic: QuizTopic | null
    seed: bigint
    deal_seed: Buffer
    started_at: Date
    ended_at: Date | null
    end_reason: QuizEnd | null
    score: number | null
    hits: number | null
    combo_best: number | null
    points: number | null
  }
  quiz_events: {
    game_id: GameId
    number: number
    event: QuizEvent
    question_id: string | null
    option_order: number[] | null
    recorded_at: Generated<Date>
  }
  quiz_bests: {
    period: 'day' | 'week' | 'ever'
    starts_on: string
    user_number: number
    score: number
    game_id: GameId
    reached_at: Date
  }
  quiz_guest_games: {
    id: GameId
    seed: bigint
    deal_seed: Buffer
    started_at: Date
    duel_of: GameId | null
    events: Generated<StoredEvent[]>
  }
  quiz_keys: { key: Buffer }
}
