import { expect, test } from 'vitest'
import { chainAmountText, fourCharacters } from './chain-amount.ts'

test.each([
  [0n, 18, '0.0000'],
  [1_999_999_999_999_999_999n, 18, '1.9999'],
  [99_999_999_999_999n, 18, '0.0000'],
  [12_345_678_900_000n, 10, '1,234.5678'],
  [5_000n * 10n ** 18n, 18, '5,000.0000'],
])('%i units with %i decimals are truncated, not rounded: %s', (units, decimals, shown) => {
  expect(chainAmountText({ units, decimals })).toBe(shown)
})

test.each([
  ['0', '0'],
  ['0.05', '0.05'],
  ['0.001', '0'],
  ['9.999', '9.99'],
  ['12.345', '12.3'],
  ['100.96', '100'],
  ['4990', '4990'],
  ['9999.99', '9999'],
  ['10000', '10K'],
  ['15999.99', '15K'],
  ['999999', '999K'],
  ['1299999', '1.2M'],
  ['12345678', '12M'],
  ['1000000000', '1B'],
  ['999000000000000', '999T'],
])('%s USDT are shown in four characters, and never as more: %s', (amount, shown) => {
  const [whole = '', fraction = ''] = amount.split('.')
  expect(fourCharacters({ units: BigInt(whole + fraction.padEnd(18, '0')), decimals: 18 })).toBe(shown)
})
