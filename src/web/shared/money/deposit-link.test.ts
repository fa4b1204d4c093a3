import { expect, test } from 'vitest'
import { parseUsdt } from '../../../protocol/money.ts'
import { depositLink } from './deposit-link.ts'

const address = `0x${'ab'.repeat(20)}` as const
const token = { address: `0x${'55'.repeat(20)}`, chainId: 56 } as const

test('without an amount the QR code is the plain address, with one it is a payment request in wei', () => {
  expect(depositLink(address, token, undefined)).toBe(address)
  expect(depositLink(address, token, parseUsdt('12.5'))).toBe(
    `ethereum:${token.address}@56/transfer?address=${address}&uint256=12500000000000000000`,
  )
})
