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
const shot = {
  score: z.int().min(0).max(1_000_000),
  question: questionNumber.optional(),
  /** Null: the targets escaped. */
  option: option.nullable().optional(),
  /** Milliseconds since the question appeared on the screen. */
  at_ms: z.int().min(0).max(quizRules.gameMaxMs).optional(),
  /** 100 in the middle of the target, 0 at its edge. */
  aim: z.int().min(0).max(100).optional(),
}

/** The id of a guest's game with our signature. */
export const pass = z.string().regex(/^[0-9a-f-]{36}\.[\w-]{43}$/, 'Not the pass of a game')
const guestMove = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('show'), pass }),
  z.strictObject({ kind: z.literal('deal'), pass }),
  z.strictObject({ kind: z.literal('shoot'), pass, ...shot }),
  z.strictObject({ kind: z.literal('power'), pass, question: questionNumber, power }),
  z.strictObject({ kind: z.literal('pause'), pass, question: questionNumber }),
  z.strictObject({ kind: z.literal('end'), pass }),
])

/** The open question as sent to the page: without the answer or anything that reveals it. */
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
  aim: z.int(),
  bonus: z.int(),
  power: power.nullable(),
  shield_used: z.boolean(),
  level_cleared: z.boolean(),
  life_gained: z.boolean(),
})

const result = z.strictObject({
  /** Experience points for this game, and how many more can be earned today. */
  points: z.int(),
  points_left_today: z.int(),
  best: z.int(),
  is_best: z.boolean(),
  rank_today: z.int(),
})

/** The game as its player sees it. Every call about a game returns it. */
export const quizGame = z.strictObject({
  /** The name in the specification. */
  gameId,
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
export type QuizGame = z.output<typeof quizGame>

export const leaderboardPeriods = ['day', 'week', 'ever'] as const
const leader = z.strictObject({ rank: z.int(), username, score: z.int(), me: z.boolean() })

const play = { auth: 'user', limit: 'play', output: success({ game: quizGame }) } as const
/** A move needs no DPoP proof: there are several per second, they earn no money, and the server judges each one. */
const move = { ...play, method: 'POST', changes: true, proof: false } as const

export const quiz = {
  start: route({
    ...play,
    method: 'POST',
    path: '/game/start/',
    summary: 'Start a quiz game. A game that is still open ends with its current score',
    changes: true,
    tokenInBody: true,
    input: z.strictObject({ token: z.string(), topic: topic.optional() }),
    errors: ['forbidden'],
  }),
  show: route({
    ...play,
    method: 'GET',
    path: '/game/{id}/',
    summary: 'The current state of one of your games, to resume it',
    input: z.strictObject({ id: gameId }),
    errors: ['not_found'],
  }),
  deal: route({
    ...move,
    path: '/game/{id}/deal/',
    summary: 'Deal the next question. Its time starts now, by the server’s clock',
    input: z.strictObject({ id: gameId }),
    errors: ['not_found', 'game_over'],
  }),
  shoot: route({
    ...move,
    path: '/game/{id}/shoot/',
    summary:
      'Shoot at an option of the open question. `score` is your score before the shot; the server only compares it',
    input: z.strictObject({ id: gameId, ...shot }),
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
    summary: 'Put the open question back and lose the combo',
    input: z.strictObject({ id: gameId, question: questionNumber }),
    errors: ['not_found', 'game_over', 'shot_refused'],
  }),
  end: route({
    ...move,
    path: '/game/{id}/end/',
    summary: 'End a game with its current score',
    input: z.strictObject({ id: gameId }),
    errors: ['not_found'],
  }),
  overview: route({
    method: 'GET',
    path: '/quiz/',
    summary: 'Personal best, games played, today’s points and the open game, if there is one',
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
    summary: 'The best games of the day, of the week or of all time',
    auth: 'user',
    input: z.strictObject({ period: z.enum(leaderboardPeriods).default('day') }),
    output: success({
      period: z.enum(leaderboardPeriods),
      starts_on: day,
      players: z.int(),
      data: z.array(leader),
      mine: leader.nullable(),
      /** Other players do not see `mine`. */
      hidden: z.boolean(),
    }),
  }),
  visibility: route({
    method: 'POST',
    path: '/quiz/visibility/',
    summary: 'Hide yourself from the leaderboards, or show yourself again',
    auth: 'user',
    changes: true,
    input: z.strictObject({ hide: z.boolean() }),
    output: success({}),
  }),
  guestStart: route({
    method: 'POST',
    path: '/quiz/guest/start/',
    summary:
      'Start a quiz game without an account. The pass in the reply is needed for every move, and to keep the game',
    auth: 'none',
    limit: 'guest',
    input: nothing,
    output: success({ pass, game: quizGame }),
  }),
  guestMove: route({
    method: 'POST',
    path: '/quiz/guest/move/',
    summary: 'A move in a game without an account, judged like any other. The game is deleted after three days',
    auth: 'none',
    limit: 'play',
    input: guestMove,
    output: success({ game: quizGame }),
    errors: ['not_found', 'game_over', 'shot_refused', 'score_mismatch'],
  }),
  guestKeep: route({
    method: 'POST',
    path: '/quiz/guest/keep/',
    summary: 'Keep a game that you played without an account: once, with the score that the server replays',
    auth: 'user',
    changes: true,
    limit: 'play',
    input: z.strictObject({ pass }),
    output: success({ game: quizGame }),
    errors: ['not_found', 'already_recorded', 'duel_not_kept'],
  }),
}
