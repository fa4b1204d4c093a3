import { Check } from 'lucide-react'
import { figureText } from '../../protocol/figures.ts'
import { UTC } from '../../protocol/time-zones.ts'
import { levelOf } from '../../protocol/users.ts'
import type { WellnessToday } from '../../protocol/wellness.ts'
import { AnimatedNumber } from '../../ui/animated-number.tsx'
import { Card } from '../../ui/card.tsx'
import { cssVariables } from '../../ui/css-variables.ts'
import { useMedia } from '../../ui/media.ts'
import { Progress } from '../../ui/progress.tsx'
import { Rings } from '../../ui/ring.tsx'
import { backgroundByTone } from '../../ui/tone.ts'
import { useNow } from '../shared/page/use-now.ts'
import { pillars } from './pillars.ts'
import { ShareOwn } from './share-own.tsx'
import { cityOf } from './zone-words.ts'

/** The day at a glance: four rings, outermost first, and progress to the next level. */
export function TodayRings({ today }: { today: WellnessToday }) {
  const roomy = useMedia('(min-width: 480px)')
  const closed = today.rings.filter((ring) => ring.closed).length
  return (
    <Card weight="lead" padding="l" aria-label="Today's rings" className="grid gap-6">
      <div
        className="grid items-center justify-items-center gap-6 sm:grid-cols-[auto_1fr] sm:justify-items-stretch sm:gap-9"
        style={cssVariables({ '--track': 'var(--panel-line)' })}
      >
        <div className="relative grid place-items-center">
          <Rings
            size={roomy ? 232 : 216}
            stroke={17}
            rings={today.rings.map(({ pillar, share }) => ({
              value: share,
              tone: pillars[pillar].tone,
              label: pillars[pillar].name,
            }))}
          />
          <p className="absolute text-center leading-none">
            <span className="font-display text-2xl">
              <AnimatedNumber value={closed} />
              <span className="text-on-panel-soft">/4</span>
            </span>
            <span className="sr-only"> rings closed</span>
          </p>
        </div>
        <Legend today={today} />
      </div>
      <Level today={today} />
      {closed > 0 && <ShareOwn kind="rings">Share your rings</ShareOwn>}
    </Card>
  )
}

function Legend({ today }: { today: WellnessToday }) {
  return (
    <ul className="grid w-full grid-cols-2 gap-x-5 gap-y-4 sm:grid-cols-1">
      {today.rings.map(({ pillar, share, closed }) => (
        <li key={pillar} className="flex items-center gap-3">
          <span
            aria-hidden="true"
            className={`grid size-6 shrink-0 place-items-center rounded-full text-[#10231c] ${backgroundByTone[pillars[pillar].tone]}`}
          >
            {closed && <Check size={15} strokeWidth={3.5} />}
          </span>
          <span className="grid min-w-0 leading-tight">
            <span className="font-semibold">{pillars[pillar].name}</span>
            <span className="figures text-on-panel-soft text-sm">
              {closed ? 'Closed' : `${Math.floor(share * 100)}%`}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}

function Level({ today }: { today: WellnessToday }) {
  const { points, level_from, level_to, ends_at, zone } = today
  const left = useTimeLeft(ends_at)
  return (
    <div
      className="grid gap-2.5 border-panel-line border-t pt-5"
      style={cssVariables({ '--track': 'var(--panel-line)' })}
    >
      <div className="flex items-baseline justify-between gap-4">
        <p className="font-semibold">Level {levelOf(points)}</p>
        <p className="figures text-on-panel-soft text-sm">
          {figureText(level_to - points)} points to level {levelOf(points) + 1}
        </p>
      </div>
      <Progress
        value={(points - level_from) / (level_to - level_from)}
        label={`Progress to level ${levelOf(points) + 1}`}
        tone="lime"
      />
      <p className="figures text-on-panel-soft text-sm">
        New challenges in {left} · {zone === null ? UTC : `${cityOf(zone)} time`}
      </p>
    </div>
  )
}

const COUNTDOWN_MS = 30_000

/** Time until the user's day ends. */
function useTimeLeft(end: Date): string {
  const now = useNow(COUNTDOWN_MS)
  const minutes = Math.max(1, Math.ceil((end.getTime() - now) / 60_000))
  return minutes >= 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes} min`
}
