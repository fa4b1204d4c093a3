import { expect, it } from 'vitest'
import { errorTexts } from './texts.ts'

it('a call that failed says what was tried and why', () => {
  expect(errorTexts.failedTo('start game', 'no answer')).toBe('Failed to start game: no answer')
})

it('a list that did not come gives the reason of the server, or says that it is unknown', () => {
  expect(errorTexts.backend('Halted')).toBe('Backend error: Halted')
  expect(errorTexts.backend()).toBe('Backend error: Unknown error occurred')
  expect(errorTexts.failedToFetch('referral history')).toBe('Failed to fetch referral history. Please try again.')
})

it('the other sentences of the catalogue are the specification’s', () => {
  expect([errorTexts.planHistory, errorTexts.details]).toEqual([
    'Error fetching plan history',
    'Error fetching details',
  ])
  expect(errorTexts.topUp).toBe('Error processing withdrawal request')
  expect(errorTexts.purchase).toBe('Payment processing failed')
  expect(errorTexts.rewardClaim).toBe('An error occurred while claiming the reward.')
  expect(errorTexts.betWallet).toBe('Transaction already recorded')
})
