import { ChartColumn } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { balance } from '../../protocol/balance.ts'
import { add, ZERO } from '../../protocol/money.ts'
import type { Day } from '../../protocol/time.ts'
import { Card } from '../../ui/card.tsx'
import { dayText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Empty } from '../../ui/states.tsx'
import { useRead } from '../shared/api/api.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'

/** Loaded when it is needed: the page of a new user has no chart. */
const MoneyChart = lazy(() => import('../shared/money/money-chart.tsx').then((file) => ({ default: file.MoneyChart })))

const waiting = <Skeleton className="h-58 rounded-inner" />

const DAYS = 30
const tick = (day: Day) =>
  new Date(day).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Rewards received per day. */
export function Earnings() {
  const { data, error, refetch } = useRead(balance.timeline, { days: DAYS })
  const days = data?.data
  const hasEarned = days?.some(({ earned }) => earned > ZERO)
  return (
    <Card className="grid gap-5" padding="l">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <div>
          <h2 className="text-2xl">Earned</h2>
          <p className="text-faint text-sm">in the last {DAYS} days</p>
        </div>
        {days && hasEarned && (
          <Money amount={add(...days.map(({ earned }) => earned))} className="font-display text-3xl" />
        )}
      </div>
      {error ? (
        <FailedRead error={error} onRetry={refetch} />
      ) : days && !hasEarned ? (
        <Empty title="Nothing earned yet" icon={<ChartColumn size={24} />}>
          The rewards that your plans pay each day appear here.
        </Empty>
      ) : days ? (
        <Suspense fallback={waiting}>
          <MoneyChart
            label="Rewards per day in USDT"
            kind="bars"
            rows={days.map(({ day, earned }) => ({
              label: dayText(day),
              tick: tick(day),
              amount: earned,
            }))}
          />
        </Suspense>
      ) : (
        waiting
      )}
      <p className="flex flex-wrap gap-x-6 gap-y-2">
        <Link to="/user/balance#daily-rewards" className={linkClass}>
          Daily rewards by plan
        </Link>
        <Link to="/user/balance" className={linkClass}>
          See your full history
        </Link>
      </p>
    </Card>
  )
}

const linkClass = 'w-fit font-semibold text-primary underline-offset-4 hover:underline'
