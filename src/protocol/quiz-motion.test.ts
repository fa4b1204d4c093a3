import fc from 'fast-check'
import { expect, test } from 'vitest'
import { motionPatterns, patternOf, placeOf, randomAt, restingPlace } from './quiz-motion.ts'

const WIDTH = 0.42
const HEIGHT = 0.2
const slots = [0, 1, 2, 3]
const moment = fc.record({
  seed: fc.integer(),
  question: fc.integer({ min: 1, max: 40 }),
  level: fc.integer({ min: 1, max: 5 }),
  timeMs: fc.integer({ min: 0, max: 40_000 }),
})

test('targets stay on the board and never overlap', () => {
  fc.assert(
    fc.property(moment, ({ seed, question, level, timeMs }) => {
      const places = slots.map((slot) => placeOf(seed, question, level, slot, timeMs))
      for (const place of places) {
        expect(place.x).toBeGreaterThanOrEqual(0)
        expect(place.x).toBeLessThanOrEqual(1)
        expect(place.y).toBeGreaterThanOrEqual(0)
        expect(place.y).toBeLessThanOrEqual(1)
      }
      expectApart(places)
    }),
    { numRuns: 3000 },
  )
})

test('resting targets do not overlap', () => {
  expectApart(slots.map(restingPlace))
})

function expectApart(places: { x: number; y: number }[]) {
  for (const [index, one] of places.entries()) {
    for (const other of places.slice(index + 1)) {
      const across = Math.abs(one.x - other.x) * (1 - WIDTH) - WIDTH
      const down = Math.abs(one.y - other.y) * (1 - HEIGHT) - HEIGHT
      expect(Math.max(across, down)).toBeGreaterThanOrEqual(-0.0001)
    }
  }
}

test('the same seed, question and time give the same place on every screen, and another seed gives another', () => {
  expect(placeOf(5, 1, 1, 0, 1234)).toEqual(placeOf(5, 1, 1, 0, 1234))
  expect(placeOf(5, 1, 1, 0, 1234)).not.toEqual(placeOf(6, 1, 1, 0, 1234))
})

test('targets move smoothly: only a short way in each frame', () => {
  fc.assert(
    fc.property(moment, ({ seed, question, level, timeMs }) => {
      const [from, to] = [timeMs, timeMs + 16].map((at) => placeOf(seed, question, level, 0, at))
      expect(Math.hypot((from?.x ?? 0) - (to?.x ?? 0), (from?.y ?? 0) - (to?.y ?? 0))).toBeLessThan(0.03)
    }),
  )
})

test('later levels use every pattern, the first level only the gentle ones', () => {
  const seen = (level: number) => new Set(Array.from({ length: 400 }, (_, seed) => patternOf(seed, 1, level)))
  expect([...seen(1)].sort()).toEqual(['lanes', 'quarters'])
  expect(seen(3).size).toBe(motionPatterns.length)
})

test('the hash is evenly distributed', () => {
  const buckets = [0, 0, 0, 0]
  for (let index = 0; index < 4_000; index++) {
    const bucket = Math.floor(randomAt(1, index) * 4)
    buckets[bucket] = (buckets[bucket] ?? 0) + 1
  }
  for (const count of buckets) expect(count).toBeGreaterThan(850)
})
