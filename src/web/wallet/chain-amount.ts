import { figureText } from '../../protocol/figures.ts'
import type { ChainBalance } from '../shared/wallet/balances.ts'

const DECIMALS_SHOWN = 4
const CHARACTERS_MAX = 4

/** Truncated, not rounded, to four decimals, so it never shows more than the wallet holds. */
export function chainAmountText(balance: ChainBalance): string {
  const { whole, fraction } = partsOf(balance)
  const shown = fraction.slice(0, DECIMALS_SHOWN).padEnd(DECIMALS_SHOWN, '0')
  return `${figureText(whole)}.${shown}`
}

/**
 * The specification's four characters, never more than the wallet holds. Cutting 15,000 to '1500' would show a tenth, so
 * from 10,000 on thousands, millions and so on are counted: '15K'.
 */
export function fourCharacters(balance: ChainBalance): string {
  const { whole, fraction } = partsOf(balance)
  if (whole.length <= CHARACTERS_MAX) return cut(`${whole}.${fraction}`, CHARACTERS_MAX)
  const steps = Math.min(Math.floor((whole.length - 1) / 3), UNITS.length)
  const head = whole.slice(0, whole.length - 3 * steps)
  return `${cut(`${head}.${whole.slice(head.length)}`, CHARACTERS_MAX - 1)}${UNITS[steps - 1]}`
}

const UNITS = ['K', 'M', 'B', 'T']

/** Without a point at the end, and without zeros after the point that say nothing. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/\.0*$/, '')

function partsOf({ units, decimals }: ChainBalance): { whole: string; fraction: string } {
  const digits = units.toString().padStart(decimals + 1, '0')
  return { whole: digits.slice(0, digits.length - decimals), fraction: digits.slice(digits.length - decimals) }
}
