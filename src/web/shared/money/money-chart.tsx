import { TrendingDown, TrendingUp } from 'lucide-react'
import { figureText } from '../../../protocol/figures.ts'
import { subtract, type Usdt, ZERO } from '../../../protocol/money.ts'
import { Chart } from '../../../ui/chart.tsx'
import { drawableUsdt, moneyText } from '../../../ui/format.ts'
import type { Tone } from '../../../ui/tone.ts'

/** `label` names the moment exactly, `tick` is short enough for the axis. */
type Row = { label: string; tick: string; amount: Usdt }
type MoneyChartProps = { label: string; rows: Row[]; kind?: 'area' | 'bars'; tone?: Tone; height?: number }

/** Amounts over time. Above a curve: how much changed from its first point to its last. */
export function MoneyChart({ rows, kind = 'area', ...rest }: MoneyChartProps) {
  const points = rows.map(({ amount, ...names }) => ({
    ...names,
    value: drawableUsdt(amount),
    text: moneyText(amount),
  }))
  const [first, last] = [rows[0], rows.at(-1)]
  const hasChange = kind === 'area' && first && last && rows.length > 1
  return (
    <Chart
      {...rest}
      kind={kind}
      unit="USDT"
      points={points}
      summary={hasChange ? <Change from={first} to={last} /> : undefined}
    />
  )
}

/** The exact difference, with the share of the first amount if there was one. */
function Change({ from, to }: { from: Row; to: Row }) {
  const change = subtract(to.amount, from.amount)
  const Icon = change < ZERO ? TrendingDown : TrendingUp
  const tone = change === ZERO ? 'text-soft' : change > ZERO ? 'text-leaf-ink' : 'text-coral-ink'
  return (
    <>
      <span className={`figures flex items-center gap-1.5 font-semibold ${tone}`}>
        {change !== ZERO && <Icon size={15} aria-hidden="true" />}
        {change === ZERO ? 'No change' : `${change > ZERO ? '+' : ''}${moneyText(change)} USDT`}
        {change !== ZERO && from.amount > ZERO && ` (${shareText(change, from.amount)})`}
      </span>
      <span className="text-faint">since {from.label}</span>
    </>
  )
}

/** Tenths of a percent. Above tenfold a percentage says less than the amount, so it says only that. */
function shareText(change: Usdt, before: Usdt): string {
  const perMille = Number((change * 1_000n) / before)
  if (perMille > 10_000) return 'more than tenfold'
  return `${perMille < 0 ? '−' : '+'}${figureText(Math.abs(perMille) / 10)}%`
}
