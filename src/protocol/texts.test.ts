import { expect, it } from 'vitest'
import { errorTexts } from './texts.ts'

it('a failed call says what failed and why', () => {
  expect(errorTexts.failedTo('start game', 'no answer')).toBe('Failed to start game: no answer')
})

it('a list that did not load shows the server’s reason, or says that it is unknown', () => {
  expect(errorTexts.backend('Halted')).toBe('Backend error: Halted')
  expect(errorTexts.backend()).toBe('Backend error: Unknown error occurred')
  expect(errorTexts.failedToFetch('referral history')).toBe('Failed to fetch referral history. Please try again.')
})

it('the other texts of the error catalogue match the specification', () => {
  expect([errorTexts.planHistory, errorTexts.details]).toEqual([
    'Error fetching plan history',
    'Error fetching details',
  ])
  expect(errorTexts.topUp).toBe('Error processing withdrawal request')
  expect(errorTexts.purchase).toBe('Payment processing failed')
  expect(errorTexts.rewardClaim).toBe('An error occurred while claiming the reward.')
  expect(errorTexts.betWallet).toBe('Transaction already recorded')
})
