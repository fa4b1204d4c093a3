import { useState } from 'react'
import { balance } from '../../protocol/balance.ts'
import type { Usdt } from '../../protocol/money.ts'
import { AnimatedMoney } from '../../ui/animated-number.tsx'
import { Card } from '../../ui/card.tsx'
import { Chart } from '../../ui/chart.tsx'
import { drawableUsdt } from '../../ui/format.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useRead } from '../shared/api/api.ts'

const spans = [
  { id: '30', label: '30 days' },
  { id: '90', label: '90 days' },
  { id: '365', label: '1 year' },
] as const
type Span = (typeof spans)[number]['id']

const label = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The sum of all accounts, and how it changed over time. */
export function Total({ total }: { total: Usdt }) {
  const [span, setSpan] = useState<Span>('30')
  const { data } = useRead(balance.timeline, { days: Number(span) })
  return (
    <Card padding="l" className="grid gap-6">
      <div className="grid gap-1">
        <h2 className="font-sans! font-medium text-base text-faint tracking-normal!">Total balance</h2>
        <AnimatedMoney amount={total} className="font-display text-5xl" />
      </div>
      <Tabs label="Period" tabs={spans} selected={span} onSelect={setSpan}>
        {data ? (
          <Chart
            label="All balances at the end of each day, in USDT"
            points={data.data.map(({ day, total: amount }) => ({
              label: label.format(new Date(day)),
              value: drawableUsdt(amount),
            }))}
            format={(value) => value.toLocaleString('en', { maximumFractionDigits: 2 })}
          />
        ) : (
          <Skeleton className="h-[220px] rounded-inner" />
        )}
      </Tabs>
    </Card>
  )
}
