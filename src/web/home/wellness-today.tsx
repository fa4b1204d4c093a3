import { ArrowRight, Flame } from 'lucide-react'
import { Link } from 'react-router'
import { wellness } from '../../protocol/wellness.ts'
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
            <Rings
              size={148}
              stroke={13}
              rings={today.rings.map(({ title, share }, at) => ({
                value: share,
                tone: tones[at] ?? 'leaf',
                label: title,
              }))}
            />
            <div className="grid gap-1">
              <p className="flex items-center gap-2">
                <Flame className="text-coral" aria-hidden="true" />
                <span className="figures font-display text-4xl">{today.streak.current}</span>
              </p>
              <p className="text-soft">{today.streak.current === 1 ? 'day in a row' : 'days in a row'}</p>
              <p className="text-faint text-sm">
                {today.rings.filter(({ closed }) => closed).length} of {today.rings.length} rings closed
              </p>
            </div>
          </div>
          <Link
            to="/user/games2"
            className="inline-flex w-fit items-center gap-2 font-semibold text-primary underline-offset-4 hover:underline"
          >
            Today's challenges
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
