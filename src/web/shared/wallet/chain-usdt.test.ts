import { expect, test } from 'vitest'
import { formatUsdt } from '../../../protocol/money.ts'
import { usdtOf } from './chain-usdt.ts'

test('a balance on chain is rounded down to micro-USDT, whatever the decimals of the token', () => {
  expect(formatUsdt(usdtOf({ units: 1_999_999_999_999_999_999n, decimals: 18 }))).toBe('1.999999')
  expect(formatUsdt(usdtOf({ units: 1_234_567n, decimals: 6 }))).toBe('1.234567')
  expect(formatUsdt(usdtOf({ units: 250n, decimals: 2 }))).toBe('2.5')
  expect(formatUsdt(usdtOf({ units: 999_999_999_999n, decimals: 18 }))).toBe('0')
})
