import { expect, test } from 'vitest'
import { chainAmountText } from './chain-amount.ts'

test.each([
  [0n, 18, '0.0000'],
  [1_999_999_999_999_999_999n, 18, '1.9999'],
  [99_999_999_999_999n, 18, '0.0000'],
  [12_345_678_900_000n, 10, '1,234.5678'],
  [5_000n * 10n ** 18n, 18, '5,000.0000'],
])('%i units with %i decimals are truncated, not rounded: %s', (units, decimals, shown) => {
  expect(chainAmountText({ units, decimals })).toBe(shown)
})
