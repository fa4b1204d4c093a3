import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { QuizGame } from '../../protocol/quiz.ts'
import { newQuiz } from '../../protocol/quiz-engine.ts'
import { movesOf } from './moves.ts'
import { createSession } from './session.ts'

const ID = '0198b5a0-0000-7000-8000-000000000001' as QuizGame['gameId']
const { seed, powers } = newQuiz(7)
const fresh: QuizGame = {
  gameId: ID,
  topic: null,
  seed,
  level: 1,
  questions: 25,
  dealt: 0,
  resolved: 0,
  hits: 0,
  lives: 3,
  combo: 0,
  combo_best: 0,
  score: 0,
  powers,
  shielded: false,
  pauses_left: 3,
  end: null,
  question: null,
  outcome: null,
  result: null,
}
const asked: QuizGame = {
  ...fresh,
  dealt: 1,
  question: {
    number: 1,
    topic: 'sleep',
    text: 'Which?',
    options: ['a', 'b', 'c', 'd'],
    elapsed_ms: 0,
    window_ms: 16_000,
    slowed_at_ms: null,
    removed: [],
  },
}
const judged: QuizGame = {
  ...fresh,
  dealt: 1,
  resolved: 1,
  hits: 1,
  score: 180,
  outcome: {
    result: 'hit',
    question: 1,
    option: 2,
    right: 2,
    right_text: 'c',
    explanation: 'Because.',
    gained: 180,
    aim: 80,
    bonus: 0,
    power: null,
    shield_used: false,
    level_cleared: false,
    life_gained: false,
  },
}
const result = { points: 0, points_left_today: 300, best: 180, is_best: true, rank_today: 1 }

/** A fake server: sends these replies in order and records the requests. */
type Reply = QuizGame | { refuse: string } | 'silence'
let replies: Reply[]
let requests: { path: string; body: unknown }[]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  replies = []
  requests = []
  vi.stubGlobal('fetch', async (path: string, { body }: { body?: string }) => {
    requests.push({ path, body: body && JSON.parse(body) })
    const reply = replies.shift() ?? 'silence'
    if (reply === 'silence') throw new TypeError('network')
    if ('refuse' in reply) return Response.json({ code: reply.refuse, message: 'No' }, { status: 409 })
    return Response.json({ status: 'success', Msg: '', game: { ...reply, gameId: `game_${reply.gameId}` } })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

async function settle(work: Promise<unknown>) {
  await vi.advanceTimersByTimeAsync(30_000)
  await work
}

test('a shot is sent with the current score and the time since the question appeared', async () => {
  replies = [asked, judged]
  const session = createSession(fresh, movesOf(ID))
  await session.deal()
  expect(session.read().phase).toBe('aiming')
  vi.advanceTimersByTime(2_500)
  const shot = session.shoot(2, 80)
  expect(session.read()).toMatchObject({ phase: 'firing', fired: { option: 2, elapsedMs: 2_500 } })
  await settle(shot)
  expect(session.read()).toMatchObject({ phase: 'judged', game: { score: 180 } })
  expect(requests[1]).toEqual({
    path: `/api/game/game_${ID}/shoot/`,
    body: { score: 0, question: 1, option: 2, at_ms: 2_500, aim: 80 },
  })
})

test('only one shot is sent, and none at a removed target', async () => {
  replies = [{ ...asked, question: asked.question && { ...asked.question, removed: [0, 1] } }, judged]
  const session = createSession(fresh, movesOf(ID))
  await session.deal()
  await session.shoot(0, 80)
  expect(requests).toHaveLength(1)
  await settle(Promise.all([session.shoot(2, 80), session.shoot(3, 80)]))
  expect(requests).toHaveLength(2)
})

test('after a refused shot the session reloads the game from the server', async () => {
  replies = [asked, { refuse: 'shot_refused' }, judged]
  const session = createSession(fresh, movesOf(ID))
  await session.deal()
  await settle(session.shoot(1, 80))
  expect(requests.at(-1)?.path).toBe(`/api/game/game_${ID}/`)
  expect(session.read()).toMatchObject({ phase: 'judged', game: { score: 180 } })
})

test('the game waits when the server does not reply, and continues when it is back', async () => {
  replies = [asked]
  const session = createSession(fresh, movesOf(ID))
  await session.deal()
  await settle(session.shoot(2, 80))
  expect(session.read().phase).toBe('lost')
  replies = [judged]
  await session.catchUp()
  expect(session.read().phase).toBe('judged')
})

test('pausing goes straight to the paused phase, so the next question is not requested', async () => {
  replies = [asked, fresh]
  const session = createSession(fresh, movesOf(ID))
  await session.deal()
  const phases: string[] = []
  session.subscribe(() => phases.push(session.read().phase))
  await session.pause()
  expect(phases).toEqual(['paused'])
  session.resume()
  expect(session.read()).toMatchObject({ phase: 'between', interlude: 'countdown' })
})

test('a game stopped after a verdict goes straight to its results', async () => {
  replies = [asked, judged, { ...judged, end: 'stopped', result }]
  const session = createSession(fresh, movesOf(ID))
  await session.deal()
  await settle(session.shoot(2, 80))
  await session.pause()
  await session.stop()
  expect(session.read().phase).toBe('over')
})

test('a resumed game counts the time that passed while the page was closed', async () => {
  replies = [{ ...asked, question: asked.question && { ...asked.question, elapsed_ms: 4_000 } }]
  const session = createSession(asked, movesOf(ID))
  expect(session.read().interlude).toBe('none')
  await session.deal()
  vi.advanceTimersByTime(1_000)
  expect(session.elapsedMs()).toBe(5_000)
})
