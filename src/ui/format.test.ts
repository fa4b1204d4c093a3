import { expect, it } from 'vitest'
import { parseUsdt, type Usdt } from '../protocol/money.ts'
import { type Day, endOfDay } from '../protocol/time.ts'
import {
  amountText,
  dateTimeText,
  dayText,
  durationText,
  exactMoneyText,
  mixUsdt,
  moneyParts,
  moneyText,
  orText,
  withLocalTimes,
  zonedText,
} from './format.ts'

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

it('shows an amount in a sentence with thousands separated and only the decimals it has', () => {
  const texts = ['0', '100', '5000', '0.25', '1234567.5', '0.000001'].map((text) => amountText(parseUsdt(text)))
  expect(texts).toEqual(['0', '100', '5,000', '0.25', '1,234,567.5', '0.000001'])
  expect(amountText(negative('1000'))).toBe('−1,000')
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

it('writes dates as British English does', () => {
  const parts = { day: 'numeric', month: 'short', year: 'numeric' } as const
  const local = new Intl.DateTimeFormat('en-GB', { ...parts, hour: '2-digit', minute: '2-digit' })
  const utc = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' })
  for (let month = 0; month < 12; month++) {
    const date = new Date(2026, month, 9, month * 2, 5)
    expect(dateTimeText(date)).toBe(local.format(date))
    const day = date.toISOString().slice(0, 10) as Day
    expect(dayText(day)).toBe(utc.format(new Date(day)))
  }
})

it('joins choices with commas and one or', () => {
  expect([orText([]), orText([7]), orText([1, 7]), orText([1, 7, 30])]).toEqual(['', '7', '1 or 7', '1, 7 or 30'])
})

it('a time that decides something is on the reader’s clock, with the zone named', () => {
  const end = endOfDay('2026-03-31' as Day)
  expect(zonedText(end, 'UTC')).toBe('1 Apr 2026, 00:00 UTC')
  expect(zonedText(end, 'Asia/Tokyo')).toBe('1 Apr 2026, 09:00 GMT+9')
  expect(zonedText(end, 'America/New_York')).toBe('31 Mar 2026, 20:00 GMT-4')
})

it('times in UTC in a message of the server become times on the reader’s clock, and nothing else changes', () => {
  const text = 'You excluded yourself until 2026-12-31 23:30 UTC.'
  expect(withLocalTimes(text, 'Asia/Tokyo')).toBe('You excluded yourself until 1 Jan 2027, 08:30 GMT+9.')
  expect(withLocalTimes(text, 'UTC')).toBe('You excluded yourself until 31 Dec 2026, 23:30 UTC.')
  expect(withLocalTimes('Round 2026-12 is closed', 'Asia/Tokyo')).toBe('Round 2026-12 is closed')
})
