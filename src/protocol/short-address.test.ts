import { expect, test } from 'vitest'
import { shortAddress } from './short-address.ts'

test('an address is shortened to its first 6 and last 4 characters, and a short text is not', () => {
  expect(shortAddress('0x55d398326f99059fF775485246999027B3197955')).toBe('0x55d3...7955')
  expect(shortAddress('0x55d3')).toBe('0x55d3')
})
