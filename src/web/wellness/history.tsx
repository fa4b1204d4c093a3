import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import { figureText } from '../../protocol/figures.ts'
import type { OutputOf } from '../../protocol/route.ts'
import { addDays, type Day } from '../../protocol/time.ts'
import { wellness } from '../../protocol/wellness.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Chart } from '../../ui/chart.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useRead } from '../shared/api/api.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { sourceNames } from './pillars.ts'

type DayRow = OutputOf<typeof wellness.history>['data'][number]
const DAYS_SHOWN = 14

const views = [
  { id: 'steps', label: 'Steps', unit: 'steps', tone: 'coral', amountOf: (day: DayRow) => day.steps },
  { id: 'minutes', label: 'Minutes', unit: 'minutes', tone: 'sky', amountOf: (day: DayRow) => day.workout_minutes },
  {
    id: 'breathing',
    label: 'Breathing',
    unit: 'minutes',
    tone: 'violet',
    amountOf: (day: DayRow) => Math.round(day.breathing_seconds / 60),
  },
  { id: 'rings', label: 'Rings', unit: 'rings', tone: 'leaf', amountOf: (day: DayRow) => day.rings },
] as const

/** The last two weeks, one measure at a time. */
export function History({ today }: { today: Day }) {
  const history = useRead(wellness.history, {})
  return (
    <Card className="grid gap-4">
      <h2 className="text-xl">Your last two weeks</h2>
      {history.isLoadingError ? (
        <FailedRead error={history.error} onRetry={() => history.refetch()} />
      ) : !history.data ? (
        <Skeleton className="h-60 w-full" />
      ) : history.data.data.length === 0 ? (
        <Empty title="No activity yet" icon={<ChartColumn aria-hidden="true" />}>
          Close your first ring, or import your steps below.
        </Empty>
      ) : (
        <Weeks days={history.data.data} today={today} />
      )}
    </Card>
  )
}

function Weeks({ days, today }: { days: DayRow[]; today: Day }) {
  const filled = views.find(({ amountOf }) => days.some((day) => amountOf(day) > 0))
  const [selected, setSelected] = useState<(typeof views)[number]['id']>(filled?.id ?? 'steps')
  const view = views.find(({ id }) => id === selected) ?? views[0]
  const byDay = new Map(days.map((row) => [row.day, row]))
  const points = Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const day = addDays(today, index + 1 - DAYS_SHOWN)
    const row = byDay.get(day)
    return { label: shortDay(day), value: row ? view.amountOf(row) : 0 }
  })
  const sources = [...new Set(days.flatMap((row) => row.sources))]
  return (
    <Tabs label="Measure" tabs={views} selected={selected} onSelect={setSelected}>
      <div className="grid gap-4">
        <Chart
          label={`${view.label} per day`}
          points={points}
          kind="bars"
          tone={view.tone}
          unit={view.unit}
          summary={<Summary values={points.map(({ value }) => value)} unit={view.unit} />}
        />
        <p className="flex flex-wrap gap-1.5">
          {sources.map((source) => (
            <Badge key={source} tone="ink">
              {sourceNames[source]}
            </Badge>
          ))}
        </p>
      </div>
    </Tabs>
  )
}

/** The sum of these two weeks, and how the second one compares with the first. */
function Summary({ values, unit }: { values: number[]; unit: string }) {
  const half = DAYS_SHOWN / 2
  const sum = (part: number[]) => part.reduce((total, value) => total + value, 0)
  const [before, since] = [sum(values.slice(0, half)), sum(values.slice(half))]
  const change = since - before
  return (
    <>
      <span className="figures font-semibold">
        {figureText(since)} {unit}
      </span>
      <span className="text-faint">
        in the last {half} days
        {change !== 0 && `, ${figureText(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than the week before`}
      </span>
    </>
  )
}

const shortDay = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
