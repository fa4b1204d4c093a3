import type { Usdt } from '../../protocol/money.ts'

/** A rounded fraction, for rings and bars only. */
export const shareOf = (part: Usdt, whole: Usdt): number => (whole > 0n ? Number((part * 10_000n) / whole) / 10_000 : 0)
