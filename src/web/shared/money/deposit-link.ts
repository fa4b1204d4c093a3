import type { Address } from '../../../protocol/ids.ts'
import { type Usdt, WEI_PER_MICRO } from '../../../protocol/money.ts'

type Token = { address: Address; chainId: number }

/**
 * What the QR code of a deposit address contains. With an amount it is a payment request (EIP-681), which wallet apps fill
 * in. Without one it is the plain address: exchanges would read the token in a payment request as the receiver.
 */
export const depositLink = (address: Address, token: Token, amount: Usdt | undefined): string =>
  amount === undefined
    ? address
    : `ethereum:${token.address}@${token.chainId}/transfer?address=${address}&uint256=${amount * WEI_PER_MICRO}`
