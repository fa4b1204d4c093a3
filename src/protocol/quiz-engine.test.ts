import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  apply,
  escapeMs,
  motionMs,
  newQuiz,
  pointsOf,
  QUESTIONS_IN_GAME,
  type QuizEvent,
  type QuizState,
  quizPowers,
  quizRules,
  ReplayError,
  replay,
  SCORE_MAX,
  worthOf,
} from './quiz-engine.ts'
import { judge, type QuizAction } from './quiz-judge.ts'

const RIGHT = 2
const secrets = { right: RIGHT, removed: [0, 3] }

/** Plays actions against the judge, as the server does. A refused action changes nothing. */
function play(seed: number, steps: { action: QuizAction; waitMs: number }[]) {
  let state = newQuiz(seed)
  let nowMs = 0
  const events: QuizEvent[] = []
  const refusals: string[] = []
  for (const { action, waitMs } of steps) {
    nowMs += waitMs
    const verdict = judge(state, action, nowMs, secrets)
    if ('refusal' in verdict) {
      refusals.push(verdict.refusal)
      continue
    }
    state = apply(state, verdict.event)
    events.push(verdict.event)
  }
  return { state, events, refusals, nowMs }
}

const deal = { action: { kind: 'deal' } as const, waitMs: 1_000 }
const shot = (question: number, option: number, waitMs = 2_000) => ({
  action: { kind: 'shot', question, option, aim: 100 } as const,
  waitMs,
})
const questions = (count: number, option = RIGHT) =>
  Array.from({ length: count }, (_, index) => [deal, shot(index + 1, option)]).flat()

const anyStep = fc.record({
  waitMs: fc.oneof(fc.integer({ min: 0, max: 4_000 }), fc.integer({ min: 0, max: 40_000 })),
  action: fc.oneof(
    { weight: 4, arbitrary: fc.constant<QuizAction>({ kind: 'deal' }) },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('shot' as const),
        question: fc.integer({ min: 1, max: 30 }),
        option: fc.oneof({ weight: 3, arbitrary: fc.constant(RIGHT) }, { weight: 1, arbitrary: fc.nat(3) }),
        claimedMs: fc.option(fc.integer({ min: -100, max: 50_000 }), { nil: undefined }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('escape' as const), question: fc.nat(30) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('power' as const),
        question: fc.nat(30),
        power: fc.constantFrom(...quizPowers),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause' as const), question: fc.nat(30) }) },
  ),
})
// Most actions target the open question, so that random games get far.
const anyGame = fc.array(anyStep, { maxLength: 160 }).map((steps) => {
  let dealt = 0
  return steps.map((step, index) => {
    if (step.action.kind === 'deal') dealt++
    if (!('question' in step.action) || index % 9 === 0) return step
    return { ...step, action: { ...step.action, question: dealt } }
  })
})

test('aim adds up to 50 points to a hit and nothing to a miss; a game from before aim counted replays as it was', () => {
  const scoreOf = (aim: number | undefined, option = RIGHT) =>
    play(1, [deal, { action: { kind: 'shot', question: 1, option, aim }, waitMs: 2_000 }]).state.score
  expect([100, 50, 1, 0].map((aim) => scoreOf(aim) - scoreOf(undefined))).toEqual([50, 25, 0, 0])
  expect(scoreOf(100, (RIGHT + 1) % 4)).toBe(0)
  const old = { kind: 'shot', atMs: 3_000, elapsedMs: 2_000, option: RIGHT, right: RIGHT } as const
  expect(replay(1, [{ kind: 'deal', atMs: 1_000 }, old]).score).toBe(scoreOf(undefined))
  for (const aim of [101, -1, 0.5, Number.NaN])
    expect(() =>
      replay(1, [
        { kind: 'deal', atMs: 1_000 },
        { ...old, aim },
      ]),
    ).toThrow('there is no such aim')
})

test('a perfect game hits every question, clears every level and stays within the maximum score', () => {
  const { state } = play(7, questions(QUESTIONS_IN_GAME))
  expect(state).toMatchObject({ end: 'completed', hits: 25, resolved: 25, lives: 3, comboBest: 25, level: 5 })
  expect(state.score).toBeGreaterThan(SCORE_MAX * 0.8)
  expect(state.score).toBeLessThanOrEqual(SCORE_MAX)
  expect(pointsOf(state.score)).toBeLessThanOrEqual(quizRules.pointsPerGameMax)
})

test('three misses end the game, and a miss resets the combo', () => {
  const { state } = play(7, [...questions(4), deal, shot(5, 0), deal, shot(6, 0), deal, shot(7, 0), deal])
  expect(state).toMatchObject({ end: 'lives', lives: 0, hits: 4, combo: 0, comboBest: 4 })
})

test('replaying the events of any game gives the same final state', () => {
  fc.assert(
    fc.property(fc.integer(), anyGame, (seed, steps) => {
      const { state, events } = play(seed, steps)
      expect(replay(seed, events)).toEqual(state)
      expect(replay(seed, JSON.parse(JSON.stringify(events)))).toEqual(state)
    }),
    { numRuns: 300 },
  )
})

test('score, lives, combo and power-ups stay within their bounds in any game', () => {
  fc.assert(
    fc.property(fc.integer(), anyGame, (seed, steps) => {
      const { events } = play(seed, steps)
      let before: QuizState = newQuiz(seed)
      for (const event of events) {
        const after = apply(before, event)
        expect(after.score).toBeGreaterThanOrEqual(before.score)
        expect(after.score).toBeLessThanOrEqual(SCORE_MAX)
        expect(after.lives).toBeGreaterThanOrEqual(0)
        expect(after.lives).toBeLessThanOrEqual(quizRules.livesMax)
        expect(after.hits).toBeLessThanOrEqual(after.resolved)
        expect(after.resolved).toBeLessThanOrEqual(after.dealt)
        expect(after.combo).toBeLessThanOrEqual(after.comboBest)
        for (const power of quizPowers) {
          expect(after.powers[power]).toBeGreaterThanOrEqual(0)
          expect(after.powers[power]).toBeLessThanOrEqual(quizRules.powersMax)
        }
        before = after
      }
    }),
    { numRuns: 200 },
  )
})

test('the time of a shot is the server’s time, less at most the latency grace', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: -60_000, max: 60_000 }), (passed, claim) => {
      const open = apply(newQuiz(1), { kind: 'deal', atMs: 0 })
      const verdict = judge(open, { kind: 'shot', question: 1, option: RIGHT, claimedMs: claim }, passed, secrets)
      if ('refusal' in verdict) return
      if (verdict.event.kind !== 'shot') throw new Error('expected a shot event')
      expect(verdict.event.elapsedMs).toBeLessThanOrEqual(passed)
      expect(verdict.event.elapsedMs).toBeGreaterThanOrEqual(passed - quizRules.latencyGraceMs)
      expect(verdict.event.elapsedMs).toBeGreaterThanOrEqual(quizRules.shotMinMs)
      expect(verdict.event.elapsedMs).toBeLessThan(quizRules.levels[0].windowMs)
    }),
    { numRuns: 1000 },
  )
})

test('a clock that jumps back neither stops a game nor gains time', () => {
  const open = apply(newQuiz(1), { kind: 'deal', atMs: 5_000 })
  const verdict = judge(open, { kind: 'shot', question: 1, option: RIGHT }, 1_000, secrets)
  expect(verdict).toEqual({ refusal: 'Too early: the question has only just appeared.' })
})

test('shots that are too early, too late, repeated or before the deal are refused with the reason', () => {
  expect(play(1, [deal, shot(1, RIGHT, 299)]).refusals).toEqual(['Too early: the question has only just appeared.'])
  expect(play(1, [deal, shot(1, RIGHT, 300)]).refusals).toEqual([])
  expect(play(1, [deal, shot(1, RIGHT, 15_999)]).refusals).toEqual([])
  expect(play(1, [deal, shot(1, RIGHT, 16_000)]).refusals).toEqual(['Too late: the targets have escaped.'])
  expect(play(1, [deal, shot(1, RIGHT), shot(1, RIGHT)]).refusals).toEqual(['This question has already been answered.'])
  expect(play(1, [deal, shot(2, RIGHT)]).refusals).toEqual(['Too early: this question has not been dealt.'])
  expect(play(1, [...questions(1), { action: { kind: 'end' }, waitMs: 1 }, deal]).refusals).toEqual([
    'This game is over.',
  ])
})

test('a shot delayed by the network counts from the moment it was fired, up to the grace', () => {
  const gained = (claimedMs: number) =>
    play(1, [deal, { action: { kind: 'shot', question: 1, option: RIGHT, claimedMs }, waitMs: 3_000 }]).state.score
  expect(gained(2_500)).toBeGreaterThan(gained(3_000))
  expect(gained(0)).toBe(gained(3_000 - quizRules.latencyGraceMs))
})

test('slow time halves the speed of targets, time window and points from then on', () => {
  const open = { number: 1, dealtAtMs: 0, windowMs: 16_000, slowedAtMs: 4_000, removed: [] }
  expect(motionMs(open, 3_999)).toBe(3_999)
  expect(motionMs(open, 8_000)).toBe(6_000)
  expect(escapeMs(open)).toBe(28_000)
  expect(motionMs(open, escapeMs(open))).toBe(open.windowMs)
  const state = { level: 1, combo: 0 }
  expect(worthOf(state, open, 8_000, 0)).toBe(worthOf(state, { ...open, slowedAtMs: null }, 6_000, 0))
})

test('fifty-fifty removes two wrong targets, which can no longer be shot', () => {
  const fifty = { action: { kind: 'power', question: 1, power: 'fifty' } as const, waitMs: 500 }
  const { state, refusals } = play(1, [deal, fifty, shot(1, 0), fifty, shot(1, RIGHT)])
  expect(refusals).toEqual(['This target is gone.', 'You have none of this power-up left.'])
  expect(state.hits).toBe(1)
})

test('a shield protects the life and the combo from one mistake', () => {
  const start: QuizState = { ...newQuiz(1), powers: { slow: 0, fifty: 0, shield: 1 }, combo: 5, comboBest: 5 }
  const events: QuizEvent[] = [
    { kind: 'deal', atMs: 0 },
    { kind: 'power', atMs: 500, power: 'shield', removed: [] },
    { kind: 'shot', atMs: 2_000, elapsedMs: 2_000, option: 0, right: RIGHT },
  ]
  expect(events.reduce(apply, start)).toMatchObject({ lives: 3, combo: 5, shielded: false, hits: 0 })
})

test('a pause puts the question back and resets the combo, three times per game', () => {
  const pause = (question: number) => ({ action: { kind: 'pause', question } as const, waitMs: 500 })
  const { state, refusals } = play(1, [
    ...questions(2),
    ...[3, 4, 5, 6].flatMap((number) => [deal, pause(number)]),
    shot(6, RIGHT),
  ])
  expect(refusals).toEqual(['You have no pauses left in this game. You can rest after this shot.'])
  expect(state).toMatchObject({ hits: 3, lives: 3, pauses: 3, combo: 1, resolved: 3, dealt: 6 })
})

test('a clean level gives a bonus and restores a lost life', () => {
  const { state } = play(1, [deal, shot(1, 0), ...questionsFrom(2, 9)])
  expect(state).toMatchObject({ level: 3, lives: 3 })
  expect(state.outcome).toMatchObject({ levelCleared: true, lifeGained: true, bonus: quizRules.cleanLevelPoints })
})

function questionsFrom(first: number, count: number) {
  return Array.from({ length: count }, (_, index) => [deal, shot(first + index, RIGHT)]).flat()
}

test('a stored game that was tampered with does not replay', () => {
  const { events, state } = play(3, questions(6))
  const changed = (index: number, change: object) =>
    events.map((event, at) => (at === index ? ({ ...event, ...change } as QuizEvent) : event))
  expect(() => replay(3, changed(1, { elapsedMs: 10 }))).toThrow(ReplayError)
  expect(() => replay(3, changed(1, { elapsedMs: 5_000 }))).toThrow(ReplayError)
  expect(() => replay(3, changed(1, { atMs: 0 }))).toThrow(ReplayError)
  expect(() => replay(3, changed(1, { option: 4, right: 4 }))).toThrow(ReplayError)
  expect(() => replay(3, events.slice(1))).toThrow(ReplayError)
  expect(() => replay(3, [...events, ...events])).toThrow(ReplayError)
  expect(replay(3, changed(1, { option: 0 })).score).not.toBe(state.score)
})
