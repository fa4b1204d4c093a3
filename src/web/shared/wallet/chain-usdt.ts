import { micro, type Usdt } from '../../../protocol/money.ts'
import type { ChainBalance } from './balances.ts'

const MICRO_DECIMALS = 6n

/** A USDT balance on chain in micro-USDT, rounded down, so it never shows more than the wallet holds. */
export const usdtOf = ({ units, decimals }: ChainBalance): Usdt =>
  micro((units * 10n ** MICRO_DECIMALS) / 10n ** BigInt(decimals))
