import { z } from 'zod'
import { id } from './ids.ts'
import { quizPowers, quizRules } from './quiz-engine.ts'
import { nothing, route, success } from './route.ts'
import { day, instant } from './time.ts'
import { username } from './users.ts'

export const quizTopics = ['activity', 'nutrition', 'mindfulness', 'sleep'] as const
export type QuizTopic = (typeof quizTopics)[number]
const topic = z.enum(quizTopics)
const power = z.enum(quizPowers)

const gameId = id('game')
const option = z
  .int()
  .min(0)
  .max(quizRules.options - 1)
const questionNumber = z.int().min(1).max(1_000)

/** The open question as a page may know it: no answer in it, nor anything the answer follows from. */
const question = z.strictObject({
  number: z.int(),
  topic,
  text: z.string(),
  options: z.array(z.string()),
  elapsed_ms: z.int(),
  window_ms: z.int(),
  slowed_at_ms: z.int().nullable(),
  removed: z.array(option),
})

const outcome = z.strictObject({
  result: z.enum(['hit', 'miss', 'escape']),
  question: z.int(),
  option: option.nullable(),
  right: option,
  right_text: z.string(),
  explanation: z.string(),
  gained: z.int(),
  bonus: z.int(),
  power: power.nullable(),
  shield_used: z.boolean(),
  level_cleared: z.boolean(),
  life_gained: z.boolean(),
})

const result = z.strictObject({
  /** Experience points given for this game, and what today still has room for. */
  points: z.int(),
  points_left_today: z.int(),
  best: z.int(),
  is_best: z.boolean(),
  rank_today: z.int(),
})

/** The whole game as its player may see it: the reply to every call of a game. */
const game = z.strictObject({
  id: gameId,
  topic: topic.nullable(),
  seed: z.int(),
  level: z.int(),
  questions: z.int(),
  dealt: z.int(),
  resolved: z.int(),
  hits: z.int(),
  lives: z.int(),
  combo: z.int(),
  combo_best: z.int(),
  score: z.int(),
  powers: z.strictObject({ slow: z.int(), fifty: z.int(), shield: z.int() }),
  shielded: z.boolean(),
  pauses_left: z.int(),
  end: z.enum(['completed', 'lives', 'stopped', 'expired']).nullable(),
  question: question.nullable(),
  outcome: outcome.nullable(),
  result: result.nullable(),
})
export type QuizGame = z.output<typeof game>

export const leaderboardPeriods = ['day', 'week', 'ever'] as const
const leader = z.strictObject({ rank: z.int(), username, score: z.int(), me: z.boolean() })

const play = { auth: 'user', limit: 'play', output: success({ game }) } as const
/** A move in a game needs no proof: moves come several a second, earn no money, and the server judges each. */
const move = { ...play, method: 'POST', changes: true, proof: false } as const

export const quiz = {
  start: route({
    ...play,
    method: 'POST',
    path: '/game/start/',
    summary: 'Start a quiz game; one that is still open is closed as it stands',
    changes: true,
    input: z.strictObject({ token: z.string(), topic: topic.optional() }),
    errors: ['forbidden'],
  }),
  show: route({
    ...play,
    method: 'GET',
    path: '/game/{id}/',
    summary: 'A game of one’s own as it stands, to take it up again',
    input: z.strictObject({ id: gameId }),
    errors: ['not_found'],
  }),
  deal: route({
    ...move,
    path: '/game/{id}/deal/',
    summary: 'The next question; its time runs from now by the server’s clock',
    input: z.strictObject({ id: gameId }),
    errors: ['not_found', 'game_over'],
  }),
  shoot: route({
    ...move,
    path: '/game/{id}/shoot/',
    summary: 'Shoot at an option of the open question. `score` is the score before the shot and is only compared',
    input: z.strictObject({
      id: gameId,
      score: z.int().min(0).max(1_000_000),
      question: questionNumber.optional(),
      /** Null: the targets escaped. */
      option: option.nullable().optional(),
      /** Milliseconds since the question was on the screen. */
      at_ms: z.int().min(0).max(quizRules.gameMaxMs).optional(),
    }),
    errors: ['not_found', 'game_over', 'shot_refused', 'score_mismatch'],
  }),
  power: route({
    ...move,
    path: '/game/{id}/power/',
    summary: 'Use a power-up on the open question',
    input: z.strictObject({ id: gameId, question: questionNumber, power }),
    errors: ['not_found', 'game_over', 'shot_refused'],
  }),
  pause: route({
    ...move,
    path: '/game/{id}/pause/',
    summary: 'Put the open question back, at the price of the combo',
    input: z.strictObject({ id: gameId, question: questionNumber }),
    errors: ['not_found', 'game_over', 'shot_refused'],
  }),
  end: route({
    ...move,
    path: '/game/{id}/end/',
    summary: 'End a game: its score counts as it stands',
    input: z.strictObject({ id: gameId }),
    errors: ['not_found'],
  }),
  overview: route({
    method: 'GET',
    path: '/quiz/',
    summary: 'Personal best, games so far, today’s points and a game left open',
    auth: 'user',
    input: nothing,
    output: success({
      data: z.strictObject({
        best: z.int(),
        games: z.int(),
        points: z.int(),
        points_left_today: z.int(),
        open_game: gameId.nullable(),
        recent: z.array(
          z.strictObject({ id: gameId, score: z.int(), hits: z.int(), points: z.int(), ended_at: instant }),
        ),
      }),
    }),
  }),
  leaderboard: route({
    method: 'GET',
    path: '/quiz/leaderboard/',
    summary: 'The best games of the day, the week or ever',
    auth: 'user',
    input: z.strictObject({ period: z.enum(leaderboardPeriods).default('day') }),
    output: success({
      period: z.enum(leaderboardPeriods),
      starts_on: day,
      players: z.int(),
      data: z.array(leader),
      mine: leader.nullable(),
      /** Nobody else sees `mine`. */
      hidden: z.boolean(),
    }),
  }),
  visibility: route({
    method: 'POST',
    path: '/quiz/visibility/',
    summary: 'Whether others see one on the leaderboards',
    auth: 'user',
    changes: true,
    input: z.strictObject({ hide: z.boolean() }),
    output: success({}),
  }),
  taste: route({
    method: 'GET',
    path: '/quiz/taste/',
    summary: 'A few sample questions for anybody',
    auth: 'none',
    input: nothing,
    output: success({
      data: z.array(z.strictObject({ deal: z.string(), topic, text: z.string(), options: z.array(z.string()) })),
    }),
  }),
  tasteShoot: route({
    method: 'POST',
    path: '/quiz/taste/',
    summary: 'Answer a sample question; nothing is kept and no points are given',
    auth: 'none',
    limit: 'play',
    input: z.strictObject({ deal: z.string().max(200), option }),
    output: success({ correct: z.boolean(), right: option, explanation: z.string() }),
    errors: ['shot_refused'],
  }),
}
