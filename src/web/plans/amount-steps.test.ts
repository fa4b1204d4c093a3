import { expect, test } from 'vitest'
import { formatUsdt, parseUsdt } from '../../protocol/money.ts'
import { findTier } from '../../protocol/plans.ts'
import { defaultTerms } from '../../protocol/terms-defaults.ts'
import { amountSteps, stepOf } from './amount-steps.ts'

const { tiers, planAmountMin, planAmountMax } = defaultTerms

test('the slider reaches every tier, from the smallest amount to the largest, in rising steps', () => {
  const steps = amountSteps(tiers)
  expect(steps[0]).toBe(planAmountMin)
  expect(steps.at(-1)).toBe(planAmountMax)
  expect(steps.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(steps)
  expect(new Set(steps).size).toBe(steps.length)
  for (const tier of tiers)
    expect(steps.filter((step) => findTier(tiers, step) === tier).length).toBeGreaterThanOrEqual(15)
  expect(steps.every((step) => findTier(tiers, step))).toBe(true)
})

test('an amount between two steps is at the lower one, and no amount at the first', () => {
  const steps = amountSteps(tiers)
  const at = (text: string) => formatUsdt(steps[stepOf(steps, parseUsdt(text))] ?? parseUsdt('0'))
  expect(at('12.5')).toBe('10')
  expect(at('99.999999')).toBe('95')
  expect(at('9')).toBe('10')
  expect(at('5000')).toBe('5000')
  expect(stepOf(steps, undefined)).toBe(0)
})
