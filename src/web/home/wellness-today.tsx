import { ArrowRight, Flame } from 'lucide-react'
import { Link } from 'react-router'
import { type WellnessToday as Today, wellness } from '../../protocol/wellness.ts'
import { Card } from '../../ui/card.tsx'
import { Rings } from '../../ui/ring.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Tone } from '../../ui/tone.ts'
import { useRead } from '../shared/api/api.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'

const tones: Tone[] = ['coral', 'leaf', 'sky', 'violet']

/** The day's rings and the streak, at a glance. */
export function WellnessToday() {
  const { data, error, refetch } = useRead(wellness.today, {})
  const today = data?.data
  return (
    <Card className="grid content-between gap-6" padding="l">
      {today ? (
        <>
          <div className="flex items-center gap-6">
            <div className="shrink-0 [&>svg]:h-auto [&>svg]:w-28 sm:[&>svg]:w-37">
              <Rings
                size={148}
                stroke={13}
                rings={today.rings.map(({ title, share }, at) => ({
                  value: share,
                  tone: tones[at] ?? 'leaf',
                  label: title,
                }))}
              />
            </div>
            <Streak today={today} />
          </div>
          <Link
            to="/user/games2"
            className="inline-flex w-fit items-center gap-2 font-semibold text-primary underline-offset-4 hover:underline"
          >
            Daily Challenges
            <ArrowRight size={17} aria-hidden="true" />
          </Link>
        </>
      ) : error ? (
        <FailedRead error={error} onRetry={refetch} />
      ) : (
        <Skeleton className="h-40 rounded-inner" />
      )}
    </Card>
  )
}

/** No zeros for a newcomer: the first ring is worth more words than a count. */
function Streak({ today: { streak, rings } }: { today: Today }) {
  const closed = rings.filter((ring) => ring.closed).length
  if (streak.current === 0)
    return (
      <div className="grid gap-1">
        <p className="font-display text-2xl">Four small things for a good day</p>
        <p className="text-faint text-sm">Close one ring to start a streak.</p>
      </div>
    )
  return (
    <div className="grid gap-1">
      <p className="flex items-center gap-2">
        <Flame className="text-coral" aria-hidden="true" />
        <span className="figures font-display text-4xl">{streak.current}</span>
      </p>
      <p className="text-soft">{streak.current === 1 ? 'day in a row' : 'days in a row'}</p>
      <p className="text-faint text-sm">
        {closed} of {rings.length} rings closed
      </p>
    </div>
  )
}
