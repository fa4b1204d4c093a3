import { describe, expect, test } from 'vitest'
import { type BetBounds, refuseBet, refuseBetWalletMove } from './colour-bets.ts'
import { isLooser } from './colour-limits.ts'
import { micro, parseUsdt, type Usdt, ZERO } from './money.ts'
import { refusePurchase, refuseTierAmount } from './plans.ts'
import { refuseAppeal } from './referrals.ts'
import { refuseHealthRelease } from './rewards.ts'
import type { Refusal } from './rules.ts'
import { refuseReply } from './support.ts'
import type { Day } from './time.ts'
import { refuseRecipient, refuseTransfer } from './transfers.ts'
import {
  challengesOf,
  IMPORT_DAYS_MAX,
  isImportable,
  refuseActivity,
  refuseMeal,
  refuseRemoval,
} from './wellness-day.ts'
import { refuseWithdrawal, reviewReason, withdrawalParts } from './withdrawals.ts'

const u = parseUsdt
const amountOf = (text: string | undefined): Usdt | undefined => (text === undefined ? undefined : u(text))
const codeOf = (refusal: Refusal | undefined) => refusal?.code
const wordsOf = (refusal: Refusal | undefined) => refusal?.message

describe('a plan purchase', () => {
  const starter = {
    name: 'Starter',
    packageType: 1,
    from: u('10'),
    to: u('99.999999'),
    dailyRatePpm: 1_000n,
    termDays: 90,
  } as const
  const bounds = { planAmount: u('4950'), planAmountMax: u('5000'), wallet: u('40') }

  test('must be within the range of its tier, both ends included', () => {
    const refuse = (amount?: string) => refuseTierAmount(amountOf(amount), starter)
    expect([refuse('10'), refuse('99.999999')]).toEqual([undefined, undefined])
    expect(refuse('9.999999')).toEqual({
      code: 'amount_below_minimum',
      message: 'Starter takes 10 to 99.999999 USDT',
    })
    expect(codeOf(refuse('100'))).toBe('amount_above_limit')
    expect(wordsOf(refuse())).toBe('Please enter an amount')
  })

  test('must fit under the cap and be covered by the balance that pays', () => {
    expect(refusePurchase(u('40'), bounds)).toBeUndefined()
    expect(wordsOf(refusePurchase(u('40.000001'), bounds))).toBe('Insufficient balance in your wallet')
    expect(refusePurchase(u('50'), { ...bounds, wallet: undefined })).toBeUndefined()
    expect(wordsOf(refusePurchase(u('50.000001'), { ...bounds, wallet: undefined }))).toBe(
      'Maximum investment You can 50 USDT',
    )
  })
})

describe('a transfer', () => {
  const bounds = { amountMin: u('0.01'), amountMax: u('5000'), held: u('6000') }
  const refuse = (amount?: string, changes = {}) => refuseTransfer(amountOf(amount), { ...bounds, ...changes })

  test('must be within the smallest and largest amount, both included', () => {
    expect([refuse('0.01'), refuse('5000')]).toEqual([undefined, undefined])
    expect(wordsOf(refuse('0.009999'))).toBe('Send at least 0.01 USDT')
    expect(wordsOf(refuse('5000.000001'))).toBe('Send at most 5000 USDT at a time')
    expect(codeOf(refuse())).toBe('amount_format')
  })

  test('must be covered by its source; if the balance is not given, the ledger checks it', () => {
    expect(refuse('20', { held: u('20') })).toBeUndefined()
    expect(wordsOf(refuse('20.000001', { held: u('20') }))).toBe('Insufficient balance')
    expect(refuse('20.000001', { held: undefined })).toBeUndefined()
  })

  test('must go to another user', () => {
    expect(refuseRecipient('anna', 'ben')).toBeUndefined()
    expect(wordsOf(refuseRecipient('anna', 'anna'))).toBe('You cannot send to yourself')
  })
})

describe('a withdrawal', () => {
  test('goes out without an operator up to each limit, and says which one it exceeds', () => {
    const review = (amount: string, left = {}) =>
      reviewReason(u(amount), { each: u('100'), userLeft: u('80'), productLeft: u('60'), ...left })
    expect([review('60'), review('80', { productLeft: u('80') })]).toEqual([undefined, undefined])
    expect(review('60.000001')).toContain('many withdrawals were made today')
    expect(review('80.000001')).toContain('you can withdraw 80 USDT more')
    expect(review('100.000001')).toContain('it is above 100 USDT')
  })

  const bounds = { amountMin: u('10'), held: u('200'), outflowLeft: u('100') }
  const refuse = (amount?: string, changes = {}) => refuseWithdrawal(amountOf(amount), { ...bounds, ...changes })

  test('must reach the minimum, be covered, and stay within the daily limit', () => {
    expect([refuse('10'), refuse('100')]).toEqual([undefined, undefined])
    expect(wordsOf(refuse('9.999999'))).toBe('Minimum amount is 10 USDT')
    expect(wordsOf(refuse('100.000001'))).toBe('You can withdraw 100 USDT more today')
    expect(wordsOf(refuse('200.000001', { outflowLeft: u('5000') }))).toBe('Insufficient balance')
    expect(codeOf(refuse())).toBe('amount_format')
  })

  test('splits into fee and net amount, to the last micro-USDT', () => {
    expect(withdrawalParts(u('10.000019'), 5)).toEqual({ fee: u('0.5'), net: u('9.500019') })
    expect(withdrawalParts(u('10'), 0)).toEqual({ fee: ZERO, net: u('10') })
  })
})

describe('a bet', () => {
  const play = { stake: u('100'), loss: u('50'), staked_today: u('60'), lost_today: micro(-10_000_000n) }
  const bounds: BetBounds = { stakeMin: u('0.1'), stakeMax: u('500'), balance: u('1000'), play }
  const refuse = (amount: string | undefined, changes: Partial<BetBounds> = {}) =>
    refuseBet(amountOf(amount), { ...bounds, ...changes })

  test('must be within the smallest and largest stake, both included', () => {
    const free = { play: undefined }
    expect([refuse('0.1', free), refuse('500', free)]).toEqual([undefined, undefined])
    expect(wordsOf(refuse('0.099999', free))).toBe('The smallest bet is 0.1 USDT')
    expect(wordsOf(refuse('500.000001', free))).toBe('The largest bet is 500 USDT')
    expect(codeOf(refuse(undefined, free))).toBe('amount_format')
  })

  test('must stay within the limits of the player, to the last micro-USDT', () => {
    expect(refuse('40')).toBeUndefined()
    expect(refuse('40.000001')).toEqual({
      code: 'limit_reached',
      message: 'This is above your daily stake limit of 100 USDT. You have 40 USDT left today.',
    })
    const lossOnly = { play: { ...play, stake: null } }
    expect(refuse('60', lossOnly)).toBeUndefined()
    expect(wordsOf(refuse('60.000001', lossOnly))).toBe(
      'This is above your daily loss limit of 50 USDT. You have 60 USDT left today.',
    )
    expect(wordsOf(refuse('1', { play: { ...play, staked_today: u('100') } }))).toBe(
      'This is above your daily stake limit of 100 USDT. You have nothing left today.',
    )
  })

  test('must be covered by the bet wallet', () => {
    expect(refuse('40', { balance: u('40') })).toBeUndefined()
    expect(wordsOf(refuse('40', { balance: u('39.999999') }))).toBe('Insufficient balance in the bet wallet')
  })

  test('needs money in the bet wallet, and moving it there must be covered by the wallet', () => {
    expect(refuseBetWalletMove(u('5'), u('5'))).toBeUndefined()
    expect(codeOf(refuseBetWalletMove(u('5.000001'), u('5')))).toBe('insufficient_balance')
    expect(codeOf(refuseBetWalletMove(ZERO, u('5')))).toBe('amount_zero')
    expect(codeOf(refuseBetWalletMove(undefined, u('5')))).toBe('amount_format')
  })

  test('a limit is looser if it allows more, and no limit allows everything', () => {
    expect(isLooser(u('10'), u('10.000001'))).toBe(true)
    expect(isLooser(u('10'), null)).toBe(true)
    expect(isLooser(u('10'), u('10'))).toBe(false)
    expect(isLooser(null, u('10'))).toBe(false)
    expect(isLooser(null, null)).toBe(false)
  })
})

test('the health balance can be released after the last challenge, from the minimum up to the whole balance', () => {
  const standing = { balance: u('5'), minimum: u('1'), challenges_done: 10, challenges_needed: 10, window_days: 30 }
  const refuse = (amount: string, changes = {}) => refuseHealthRelease(u(amount), { ...standing, ...changes })
  expect([refuse('1'), refuse('5')]).toEqual([undefined, undefined])
  expect(wordsOf(refuse('0.999999'))).toBe('The smallest release is 1 USDT')
  expect(wordsOf(refuse('5.000001'))).toBe('Insufficient health balance')
  expect(wordsOf(refuse('1', { challenges_done: 9 }))).toBe(
    'Complete 1 more challenge to release your health balance. You need 10 in 30 days.',
  )
  expect(codeOf(refuseHealthRelease(undefined, standing))).toBe('amount_format')
})

test('a closed request accepts no reply, and a held reward can be appealed once', () => {
  expect(refuseReply({ state: 'answered' })).toBeUndefined()
  expect(codeOf(refuseReply({ state: 'closed' }))).toBe('request_closed')
  expect(refuseAppeal({ state: 'held', appeal_id: null })).toBeUndefined()
  expect(wordsOf(refuseAppeal({ state: 'held', appeal_id: 'request' }))).toContain('You have already appealed')
  expect(wordsOf(refuseAppeal({ state: 'released', appeal_id: null }))).toContain('already been decided')
})

describe('a wellness day', () => {
  const steps = (amount: number, source: 'manual' | 'gpx' = 'manual') => ({ kind: 'steps', amount, source }) as const

  test('has a maximum for each activity, and an import of the same walk does not count twice', () => {
    expect(refuseActivity(steps(40_000), [steps(60_000), steps(90_000, 'gpx')])).toBeUndefined()
    expect(refuseActivity(steps(40_001), [steps(60_000)])).toEqual({
      code: 'limit_reached',
      message: 'You can log at most 100,000 steps a day. Nothing was added.',
    })
    expect(wordsOf(refuseActivity({ kind: 'workout', amount: 721 }, []))).toContain('720 minutes')
  })

  test('accepts each meal once', () => {
    const lunch = { kind: 'meal', detail: 'lunch' } as const
    expect(refuseMeal('dinner', [lunch])).toBeUndefined()
    expect(codeOf(refuseMeal('lunch', [lunch]))).toBe('already_recorded')
  })

  test('keeps an entry that a closed ring needs', () => {
    const day = '2026-03-03' as Day
    const goal = challengesOf(day)[0]?.goals[0]?.amount ?? 0
    const entry = (id: string, amount: number) => ({ id, ...steps(amount), parts: [] })
    expect(refuseRemoval('a', day, [entry('a', goal - 1)])).toBeUndefined()
    expect(codeOf(refuseRemoval('a', day, [entry('a', goal)]))).toBe('not_eligible')
    expect(refuseRemoval('a', day, [entry('a', goal), entry('b', goal)])).toBeUndefined()
  })

  test('can be imported if it is neither in the future nor too long ago', () => {
    const today = '2026-03-01' as Day
    const oldest = new Date(Date.parse(today) - IMPORT_DAYS_MAX * 86_400_000).toISOString().slice(0, 10) as Day
    expect([isImportable(today, today), isImportable(oldest, today)]).toEqual([true, true])
    expect(isImportable('2026-03-02' as Day, today)).toBe(false)
    expect(isImportable('2024-02-29' as Day, today)).toBe(false)
  })
})
