import { useState } from 'react'
import { balance, type Details } from '../../protocol/balance.ts'
import { brand } from '../../protocol/brand.ts'
import { Card } from '../../ui/card.tsx'
import { dayText, shortDayText } from '../../ui/format.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useRead } from '../shared/api/api.ts'
import { MoneyChart } from '../shared/money/money-chart.tsx'
import { Total } from '../shared/money/total.tsx'
import { FailedRead } from '../shared/page/failed-read.tsx'

const spans = [
  { id: '30', label: '30 days' },
  { id: '90', label: '90 days' },
  { id: '365', label: '1 year' },
] as const
type Span = (typeof spans)[number]['id']

/** The total, and how the sum of all accounts changed over time. */
export function OverTime({ details }: { details: Details }) {
  const [span, setSpan] = useState<Span>('30')
  const { data, error, refetch } = useRead(balance.timeline, { days: Number(span) })
  return (
    <Card padding="l" className="grid gap-6">
      <Total details={details} />
      <Tabs label="Period" tabs={spans} selected={span} onSelect={setSpan}>
        {data ? (
          <MoneyChart
            label={`All your accounts in ${brand.name} at the end of each day, in USDT`}
            rows={data.data.map(({ day, total: amount }) => ({
              label: dayText(day),
              tick: shortDayText(day),
              amount,
            }))}
          />
        ) : error ? (
          <FailedRead error={error} onRetry={refetch} />
        ) : (
          <Skeleton className="h-58 rounded-inner" />
        )}
      </Tabs>
    </Card>
  )
}
