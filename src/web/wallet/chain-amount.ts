import type { ChainBalance } from '../shared/wallet/balances.ts'

const DECIMALS_SHOWN = 4

/** Truncated, not rounded, to four decimals, so it never shows more than the wallet holds. */
export function chainAmountText({ units, decimals }: ChainBalance): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',')
  const fraction = digits.slice(digits.length - decimals, digits.length - decimals + DECIMALS_SHOWN)
  return `${whole}.${fraction.padEnd(DECIMALS_SHOWN, '0')}`
}
