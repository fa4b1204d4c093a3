import { expect, it } from 'vitest'
import { parseUsdt, type Usdt } from '../protocol/money.ts'
import { durationText, exactMoneyText, mixUsdt, moneyParts, moneyText } from './format.ts'

const negative = (text: string) => -parseUsdt(text) as Usdt

it('shows money rounded down to two decimals, never more than there is', () => {
  expect(moneyText(parseUsdt('0.009999'))).toBe('0.00')
  expect(moneyText(parseUsdt('0.019999'))).toBe('0.01')
  expect(moneyText(parseUsdt('19.999999'))).toBe('19.99')
  expect(moneyText(parseUsdt('20'))).toBe('20.00')
})

it('separates thousands, however large the amount', () => {
  expect(moneyText(parseUsdt('999.99'))).toBe('999.99')
  expect(moneyText(parseUsdt('1000'))).toBe('1,000.00')
  expect(moneyText(parseUsdt('999999999999.999999'))).toBe('999,999,999,999.99')
})

it('shows a minus sign only if the rounded amount is not zero', () => {
  expect(moneyText(negative('1.239'))).toBe('−1.23')
  expect(moneyText(negative('0.001'))).toBe('0.00')
})

it('shows all six decimals of an exact amount, or two if the others are zero', () => {
  const exactText = (amount: Usdt) => {
    const { sign, whole, decimals } = moneyParts(amount, true)
    return `${sign}${whole}.${decimals}`
  }
  expect(exactText(parseUsdt('1234.56'))).toBe('1,234.56')
  expect(exactText(parseUsdt('0'))).toBe('0.00')
  expect(exactText(parseUsdt('0.0123'))).toBe('0.012300')
  expect(exactText(parseUsdt('2.500001'))).toBe('2.500001')
  expect(exactText(negative('0.000001'))).toBe('−0.000001')
  expect(exactText(negative('20'))).toBe('−20.00')
})

it('shows all six decimals where amounts must add up', () => {
  expect(exactMoneyText(parseUsdt('1234.5'))).toBe('1,234.500000')
  expect(exactMoneyText(parseUsdt('0.000001'))).toBe('0.000001')
  expect(exactMoneyText(negative('0.001'))).toBe('−0.001000')
})

it.each([
  [0, '0 s'],
  [89, '89 s'],
  [90, '2 min'],
  [5_399, '90 min'],
  [5_400, '2 h'],
  [172_799, '48 h'],
  [172_800, '2 days'],
])('shows %i seconds as %s', (seconds, text) => expect(durationText(seconds)).toBe(text))

it('ends an animation exactly on its amount', () => {
  const [from, to] = [parseUsdt('1.111111'), parseUsdt('999999999999.999999')]
  expect(mixUsdt(from, to, 1)).toBe(to)
  expect(mixUsdt(from, to, 0)).toBe(from)
})
