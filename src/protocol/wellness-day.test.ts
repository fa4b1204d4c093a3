import { expect, test } from 'vitest'
import { addDays, type Day } from './time.ts'
import { breathAt, EXERCISES, getExercise, suggestExercise } from './wellness-breathing.ts'
import { challengesOf, type Entry, isClosed, measuresOf, PILLARS, progressOf } from './wellness-day.ts'

const entry = (kind: Entry['kind'], amount: number, more: Partial<Entry> = {}): Entry => ({
  kind,
  amount,
  parts: [],
  source: 'manual',
  ...more,
})
const days = Array.from({ length: 400 }, (_, index) => addDays('2026-01-01' as Day, index))

test('every day has one challenge for each of the four pillars, and consecutive days differ', () => {
  for (const day of days) expect(challengesOf(day).map(({ pillar }) => pillar)).toEqual([...PILLARS])
  const titles = days.map((day) =>
    challengesOf(day)
      .map(({ title }) => title)
      .join(),
  )
  expect(titles.every((title, index) => title !== titles[index + 1])).toBe(true)
})

test('manual entries add up; an import of the same walk is not added to them', () => {
  const entries = [entry('steps', 3_000), entry('steps', 2_000), entry('steps', 4_000, { source: 'apple_health' })]
  expect(measuresOf(entries).steps).toBe(5_000)
  expect(measuresOf([...entries, entry('steps', 9_000, { source: 'gpx' })]).steps).toBe(9_000)
})

test('meals count by what was in them', () => {
  const measures = measuresOf([
    entry('meal', 1, { parts: ['vegetables', 'water'] }),
    entry('meal', 1, { parts: ['vegetables'] }),
    entry('meal', 1),
  ])
  expect(measures).toMatchObject({ meals: 3, meals_vegetables: 2, meals_water: 1, meals_fruit: 0 })
})

test('the best quiz game of the day counts, not the sum of all games', () => {
  expect(measuresOf([entry('quiz', 4), entry('quiz', 6)]).quiz_correct).toBe(6)
})

test('one step short leaves the ring open; either goal closes it', () => {
  const challenge = challengesOf('2026-01-01' as Day)[0]
  if (!challenge) throw new Error('no challenge')
  const [steps, minutes] = challenge.goals.map(({ amount }) => amount)
  const nearly = measuresOf([entry('steps', (steps ?? 0) - 1)])
  expect(isClosed(challenge, nearly)).toBe(false)
  expect(progressOf(challenge, nearly).share).toBeLessThan(1)
  expect(isClosed(challenge, measuresOf([entry('steps', steps ?? 0)]))).toBe(true)
  expect(isClosed(challenge, measuresOf([entry('workout', minutes ?? 0)]))).toBe(true)
  expect(progressOf(challenge, measuresOf([entry('workout', 999)]))).toMatchObject({ share: 1 })
})

test('the suggested exercise is long enough for the breathing goal of every day', () => {
  for (const day of days) {
    const seconds = challengesOf(day)[3]?.goals[0]?.amount ?? 0
    expect(getExercise(suggestExercise(seconds)).lengthSeconds).toBeGreaterThanOrEqual(seconds)
  }
})

test('an exercise ends with a whole breath, and the lungs fill and empty smoothly', () => {
  for (const exercise of EXERCISES) {
    const cycle = exercise.pattern.reduce((total, { seconds }) => total + seconds, 0)
    expect(exercise.lengthSeconds % cycle, exercise.id).toBe(0)
    for (let ms = 0; ms < cycle * 1_000; ms += 20) {
      const [now, next] = [breathAt(exercise, ms), breathAt(exercise, ms + 20)]
      expect(Math.abs(next.fullness - now.fullness)).toBeLessThan(0.02)
    }
  }
  expect(breathAt(getExercise('box'), 4_500)).toMatchObject({ phase: 'hold', fullness: 1, secondsLeft: 4 })
})
