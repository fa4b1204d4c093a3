import fc from 'fast-check'
import { expect, test } from 'vitest'
import { add, micro, parseUsdt, ZERO } from './money.ts'
import { newInternalHash, refuseTopUp, splitTopUp, type TopUpBalances, topUpMax, wholeOf } from './top-up.ts'

const u = parseUsdt
const balances: TopUpBalances = {
  withdrawableTotal: u('100'),
  withdrawableNow: u('90'),
  planAmount: u('4950'),
  planAmountMax: u('5000'),
  reward: u('40'),
  referral: u('30'),
  amountMin: u('10'),
}
const messageOf = (amount: string | undefined, source: 'daily' | 'referral', changes: Partial<TopUpBalances> = {}) =>
  refuseTopUp(amount === undefined ? undefined : u(amount), source, { ...balances, ...changes })?.message

test('the six rules use the texts of the spec', () => {
  expect(messageOf(undefined, 'daily')).toBe('Please enter an amount')
  expect(messageOf('100.000001', 'daily')).toBe('You cannot withdraw more than your total available balance.')
  expect(messageOf('90.000001', 'daily')).toBe('You cannot withdraw more than your total available balance.')
  expect(messageOf('50.000001', 'daily')).toBe('Maximum investment You can 50 USDT')
  expect(messageOf('40.000001', 'daily')).toBe('Insufficient balance in Daily Rewards wallet')
  expect(messageOf('30.000001', 'referral')).toBe('Insufficient balance in Referral Rewards wallet')
  expect(messageOf('9.999999', 'daily')).toBe('Minimum  amount is 10 USDT')
})

test('each rule accepts its exact limit', () => {
  expect(messageOf('40', 'daily')).toBeUndefined()
  expect(messageOf('30', 'referral')).toBeUndefined()
  expect(messageOf('10', 'daily')).toBeUndefined()
  expect(messageOf('50', 'daily', { reward: u('50') })).toBeUndefined()
  expect(messageOf('90', 'daily', { reward: u('90'), planAmount: ZERO })).toBeUndefined()
})

test('if several rules are broken, the first one is reported', () => {
  const all: Partial<TopUpBalances> = { withdrawableTotal: u('5'), reward: u('1'), planAmount: u('4999') }
  expect(messageOf('6', 'daily', all)).toBe('You cannot withdraw more than your total available balance.')
  expect(messageOf('5', 'daily', all)).toBe('Maximum investment You can 1 USDT')
  expect(messageOf('5', 'daily', { ...all, planAmount: u('4995') })).toBe(
    'Insufficient balance in Daily Rewards wallet',
  )
  expect(messageOf('1', 'daily', all)).toBe('Minimum  amount is 10 USDT')
})

test('a top-up has no fee on a plan of 20 USDT; above that a tenth is split off as the fee', () => {
  expect(splitTopUp(u('100'), u('20'))).toEqual({ main: u('100'), fee: ZERO })
  expect(splitTopUp(u('100'), u('20.000001'))).toEqual({ main: u('90'), fee: u('10') })
  expect(splitTopUp(u('10.000009'), u('21'))).toEqual({ main: u('9.000009'), fee: u('1') })
})

test('the whole amount is recovered from its main part, to the last micro-USDT', () => {
  const amount = fc.bigInt({ min: 1n, max: 5_000_000_000n }).map(micro)
  const planAmount = fc.constantFrom(ZERO, u('20'), u('20.000001'), u('5000'))
  fc.assert(
    fc.property(amount, planAmount, (whole, held) => {
      const { main, fee } = splitTopUp(whole, held)
      expect(add(main, fee)).toBe(whole)
      const found = wholeOf(main, held)
      expect(splitTopUp(found, held).main).toBe(main)
      // An amount that ends in 9 has the same main part as the round amount above it.
      expect(found === whole || (held > u('20') && whole % 10n === 9n && found === whole + 1n)).toBe(true)
    }),
  )
})

test("'Max' is the largest amount the rules accept", () => {
  expect(topUpMax('daily', balances)).toBe(u('40'))
  expect(topUpMax('referral', balances)).toBe(u('30'))
  expect(topUpMax('daily', { ...balances, planAmount: u('4990') })).toBe(u('10'))
  expect(topUpMax('daily', { ...balances, withdrawableNow: u('12.5') })).toBe(u('12.5'))
})

test("an internal hash starts with 'internal' and differs with its random bytes", () => {
  const hash = newInternalHash(new Uint8Array(24).fill(35))
  expect(hash).toBe(`internal${'z'.repeat(24)}`)
  expect(newInternalHash(new Uint8Array(24))).not.toBe(hash)
})
