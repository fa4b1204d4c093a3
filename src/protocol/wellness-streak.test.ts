import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, type Day } from './time.ts'
import * as streaks from './wellness-streak.ts'

const { milestoneAt, nextMilestone, nextMonday, weekdayOf } = streaks
type History = Parameters<typeof streaks.streakOf>[0]
/** Nobody travels here, unless a test says so. */
const streakOf = (history: Omit<History, 'travel'> & { travel?: History['travel'] }) =>
  streaks.streakOf({ travel: new Set(), ...history })

const monday = '2026-01-05' as Day
const at = (offset: number): Day => addDays(monday, offset)
const range = (from: number, to: number): Day[] => Array.from({ length: to - from + 1 }, (_, index) => at(from + index))
const none: streaks.RestPlan[] = []

test('each day with a closed ring adds one, and today is open until it ends', () => {
  expect(streakOf({ kept: range(0, 3), rests: none, today: at(4) })).toMatchObject({
    current: 4,
    longest: 4,
    freezes: 0,
  })
  expect(streakOf({ kept: range(0, 3), rests: none, today: at(4) }).days.at(-1)?.state).toBe('open')
  expect(streakOf({ kept: range(0, 3), rests: none, today: at(5) })).toMatchObject({ current: 0, longest: 4 })
})

test('without a closed ring there is no streak', () => {
  expect(streakOf({ kept: [], rests: none, today: monday })).toMatchObject({
    current: 0,
    longest: 0,
    startedOn: undefined,
  })
})

test('a planned rest day neither extends nor breaks a streak, but a ring closed on it counts', () => {
  const rests = [{ from: monday, weekdays: [2] }]
  expect(streakOf({ kept: [at(0), at(1), at(3)], rests, today: at(3) })).toMatchObject({
    current: 3,
    startedOn: monday,
  })
  expect(streakOf({ kept: range(0, 3), rests, today: at(3) }).current).toBe(4)
})

test('the seventh day earns a freeze, which the next missed day uses up', () => {
  const seven = streakOf({ kept: range(0, 6), rests: none, today: at(6) })
  expect(seven).toMatchObject({ current: 7, freezes: 1 })
  const missed = streakOf({ kept: [...range(0, 6), at(8)], rests: none, today: at(8) })
  expect(missed).toMatchObject({ current: 8, freezes: 0 })
  expect(missed.days.at(-2)?.state).toBe('frozen')
  expect(streakOf({ kept: [...range(0, 6), at(9)], rests: none, today: at(9) }).current).toBe(1)
})

test('at most two freezes are kept', () => {
  expect(streakOf({ kept: range(0, 27), rests: none, today: at(27) }).freezes).toBe(2)
})

test('a rest plan starts on the next Monday, so that a day that has come cannot be excused', () => {
  for (let offset = 0; offset < 7; offset++) expect(nextMonday(at(offset))).toBe(at(7))
  expect(weekdayOf(at(6))).toBe(6)
})

test('days between milestones earn nothing, and there is always a next milestone', () => {
  expect([3, 7, 14, 30, 60, 100, 700].map((days) => milestoneAt(days)?.days)).toEqual([3, 7, 14, 30, 60, 100, 700])
  expect([0, 1, 8, 99, 101].map(milestoneAt)).toEqual([undefined, undefined, undefined, undefined, undefined])
  expect([0, 3, 60, 100, 250].map((days) => nextMilestone(days).days)).toEqual([3, 7, 100, 200, 300])
})

const history = fc.record({
  kept: fc.uniqueArray(fc.integer({ min: 0, max: 80 }), { maxLength: 80 }),
  weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 2 }),
})
const of = (kept: number[], weekdays: number[], today = 80) =>
  streakOf({ kept: kept.map(at), rests: [{ from: monday, weekdays }], today: at(today) })

test('property: one more day kept never makes a streak shorter', () => {
  fc.assert(
    fc.property(history, fc.integer({ min: 0, max: 80 }), ({ kept, weekdays }, extra) => {
      const [before, after] = [of(kept, weekdays), of([...new Set([...kept, extra])], weekdays)]
      expect(after.current).toBeGreaterThanOrEqual(before.current)
      expect(after.longest).toBeGreaterThanOrEqual(before.longest)
    }),
    { numRuns: 1_000 },
  )
})

test('property: a streak counts kept days only, its freezes stay within bounds, and it matches its days', () => {
  fc.assert(
    fc.property(history, ({ kept, weekdays }) => {
      const streak = of(kept, weekdays)
      const sinceMiss = streak.days.slice(streak.days.findLastIndex(({ state }) => state === 'missed') + 1)
      expect(streak.current).toBe(sinceMiss.filter(({ state }) => state === 'kept').length)
      expect(streak.longest).toBeLessThanOrEqual(kept.length)
      expect(streak.freezes).toBeGreaterThanOrEqual(0)
      expect(streak.freezes).toBeLessThanOrEqual(2)
      const frozen = streak.days.filter(({ state }) => state === 'frozen').length
      expect(frozen * 7).toBeLessThanOrEqual(kept.length)
    }),
    { numRuns: 1_000 },
  )
})

test('property: future days never change past ones', () => {
  fc.assert(
    fc.property(history, fc.integer({ min: 0, max: 79 }), ({ kept, weekdays }, today) => {
      const soFar = kept.filter((day) => day <= today)
      if (soFar.length === 0) return
      const [short, long] = [of(soFar, weekdays, today), of([...new Set([...kept, today])], weekdays)]
      expect(long.days.slice(0, short.days.length - 1)).toEqual(short.days.slice(0, -1))
    }),
    { numRuns: 500 },
  )
})
