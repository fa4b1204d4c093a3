import type { QuizGame } from '../../../protocol/quiz.ts'
import { QUESTIONS_IN_GAME, quizRules } from '../../../protocol/quiz-engine.ts'
import type { Tx } from '../../platform/db.ts'
import { optionTexts, rightSlot } from './dealer.ts'
import { pointsLeftToday, type UserGame } from './games.ts'
import { readLeaderboard } from './leaderboard.ts'
import type { Game } from './moves.ts'
import { getQuestion } from './questions/bank.ts'

export const viewOf = async (tx: Tx, game: UserGame, now: Date): Promise<QuizGame> => ({
  ...guestViewOf(game, now),
  result: game.state.end ? await resultOf(tx, game, now) : null,
})

/** The player's view of the game. The answer is sent with the outcome, never before. A guest has no points or rank. */
export function guestViewOf(game: Game, now: Date): QuizGame {
  const { row, state } = game
  return {
    gameId: row.id,
    topic: row.topic,
    seed: state.seed,
    level: state.level,
    questions: QUESTIONS_IN_GAME,
    dealt: state.dealt,
    resolved: state.resolved,
    hits: state.hits,
    lives: state.lives,
    combo: state.combo,
    combo_best: state.comboBest,
    score: state.score,
    powers: state.powers,
    shielded: state.shielded,
    pauses_left: quizRules.pausesMax - state.pauses,
    end: state.end,
    question: questionOf(game, now),
    outcome: outcomeOf(game),
    result: null,
  }
}

function questionOf({ row, state, deals }: Game, now: Date): QuizGame['question'] {
  const { open } = state
  const dealt = open && deals[open.number - 1]
  if (!dealt) return null
  const { text, topic } = getQuestion(dealt.questionId)
  return {
    number: open.number,
    topic,
    text,
    options: optionTexts(dealt.questionId, dealt.order),
    elapsed_ms: Math.max(0, now.getTime() - row.started_at.getTime() - open.dealtAtMs),
    window_ms: open.windowMs,
    slowed_at_ms: open.slowedAtMs,
    removed: open.removed,
  }
}

function outcomeOf({ state, deals }: Game): QuizGame['outcome'] {
  const { outcome } = state
  const dealt = outcome && deals[outcome.question - 1]
  if (!dealt) return null
  const question = getQuestion(dealt.questionId)
  return {
    result: outcome.result,
    question: outcome.question,
    option: outcome.option,
    right: rightSlot(dealt.order),
    right_text: question.options[0],
    explanation: question.explanation,
    gained: outcome.gained,
    aim: outcome.aim,
    bonus: outcome.bonus,
    power: outcome.power,
    shield_used: outcome.shieldUsed,
    level_cleared: outcome.levelCleared,
    life_gained: outcome.lifeGained,
  }
}

async function resultOf(tx: Tx, { row }: UserGame, now: Date): Promise<QuizGame['result']> {
  const best = await tx
    .selectFrom('quiz_bests')
    .select(['score', 'game_id'])
    .where('period', '=', 'ever')
    .where('user_number', '=', row.user_number)
    .executeTakeFirst()
  const today = await readLeaderboard(tx, 'day', row.user_number, now)
  return {
    points: row.points ?? 0,
    points_left_today: await pointsLeftToday(tx, row.user_number, now),
    best: best?.score ?? 0,
    is_best: best?.game_id === row.id,
    rank_today: today.mine?.rank ?? 0,
  }
}
