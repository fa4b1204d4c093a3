import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WELLNESS_SCORE_DAYS, WELLNESS_SCORE_START, wellnessScoreOf } from './wellness-score.ts'

const EARLIER = WELLNESS_SCORE_DAYS - 1
const days = (share: number | undefined) => Array.from({ length: EARLIER }, () => share)

test('everybody starts at 65 percent', () => {
  expect(wellnessScoreOf(days(undefined), 0)).toBe(65)
  expect(WELLNESS_SCORE_START).toBe(65)
})

test('it reaches both ends: no ring for a week is 0, every ring of a week is 100', () => {
  expect(wellnessScoreOf(days(0), 0)).toBe(0)
  expect(wellnessScoreOf(days(1), 1)).toBe(100)
})

test('the first closed rings raise it, and a day with few rings lowers it the day after', () => {
  expect(wellnessScoreOf(days(undefined), 0.25)).toBe(66)
  expect(wellnessScoreOf(days(undefined), 1)).toBe(70)
  expect(wellnessScoreOf([...days(undefined).slice(1), 0.25], 0)).toBe(58)
})

const share = fc.double({ min: 0, max: 1, noNaN: true })
const week = fc.array(fc.option(share, { nil: undefined }), { minLength: EARLIER, maxLength: EARLIER })

test('it is a whole percentage, and more rings never lower it', () => {
  fc.assert(
    fc.property(week, share, share, fc.nat(EARLIER - 1), (before, today, more, at) => {
      const score = wellnessScoreOf(before, today)
      expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true)
      expect(wellnessScoreOf(before, Math.max(today, more))).toBeGreaterThanOrEqual(score)
      const better = before.with(at, Math.max(before[at] ?? WELLNESS_SCORE_START / 100, more))
      expect(wellnessScoreOf(better, today)).toBeGreaterThanOrEqual(score)
    }),
  )
})
