import { expect, it } from 'vitest'
import { parseUsdt, type Usdt } from '../protocol/money.ts'
import { mixUsdt, moneyText } from './format.ts'

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

it('ends an animation exactly on its amount', () => {
  const [from, to] = [parseUsdt('1.111111'), parseUsdt('999999999999.999999')]
  expect(mixUsdt(from, to, 1)).toBe(to)
  expect(mixUsdt(from, to, 0)).toBe(from)
})
