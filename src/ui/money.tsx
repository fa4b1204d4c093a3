import type { Usdt } from '../protocol/money.ts'
import { moneyParts } from './format.ts'

type MoneyProps = { amount: Usdt; unit?: boolean; className?: string; plus?: boolean }

/** An amount in tabular figures, rounded down to two decimals, which are smaller than the whole part. */
export function Money({ amount, unit = true, className = '', plus = false }: MoneyProps) {
  const { sign, whole, cents } = moneyParts(amount)
  return (
    <span className={`figures whitespace-nowrap ${className}`}>
      {plus && amount > 0n ? '+' : sign}
      {whole}
      <span className="font-medium text-[.84em]">.{cents}</span>
      {unit && <span className="ml-[.3em] font-medium text-[max(.6em,11px)]">USDT</span>}
    </span>
  )
}
