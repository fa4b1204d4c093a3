import type { Usdt } from '../../protocol/money.ts'
import { DAY_MS, type Day } from '../../protocol/time.ts'

/** 1,500 parts per million are 0.15%. */
export const percentText = (ppm: bigint | number): string => {
  const parts = BigInt(ppm)
  return `${parts / 10_000n}.${(parts % 10_000n).toString().padStart(4, '0').slice(0, 2)}%`
}

/** For rings and bars only. */
export const shareOf = (part: Usdt, whole: Usdt): number => (whole > 0n ? Number((part * 10_000n) / whole) / 10_000 : 0)

export const daysBetween = (from: Day, to: Day): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
