import type { Usdt } from '../protocol/money.ts'
import { moneyParts } from './format.ts'

type MoneyProps = {
  amount: Usdt
  unit?: boolean
  className?: string
  plus?: boolean
  /** For histories: shows all six decimals if it has more than two. */
  exact?: boolean
}

/** An amount in tabular figures, rounded down to two decimals, which are smaller than the whole part. */
export function Money({ amount, unit = true, className = '', plus = false, exact = false }: MoneyProps) {
  const { sign, whole, decimals } = moneyParts(amount, exact)
  return (
    <span className={`figures whitespace-nowrap ${className}`}>
      {plus && amount > 0n ? '+' : sign}
      {whole}
      <span className="font-medium text-[.84em]">.{decimals}</span>
      {unit && <span className="ml-[.3em] font-medium text-[max(.6em,11px)]">USDT</span>}
    </span>
  )
}
