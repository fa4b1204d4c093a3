import { Flame, type LucideIcon, Moon, Plane, Snowflake } from 'lucide-react'
import type { WellnessToday } from '../../protocol/wellness.ts'
import { PILLARS } from '../../protocol/wellness-day.ts'
import { FREEZE_EVERY_DAYS, FREEZES_MAX } from '../../protocol/wellness-streak.ts'
import { AnimatedNumber } from '../../ui/animated-number.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { ShareOwn } from './share-own.tsx'

type Streak = WellnessToday['streak']
type CalendarDay = Streak['days'][number]

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The current streak, its freezes, and a calendar of the last five weeks. */
export function StreakCard({ today }: { today: WellnessToday }) {
  const { streak } = today
  const isKept = streak.days.at(-1)?.state === 'kept'
  const left = streak.next_milestone.days - streak.current
  return (
    <Card aria-label="Your streak" className="grid content-start gap-5">
      <div className="flex items-center gap-4">
        <span
          aria-hidden="true"
          className={`grid size-16 shrink-0 place-items-center rounded-[22px] ${isKept ? 'bg-coral text-white' : 'bg-coral-tint text-coral-ink'}`}
        >
          <Flame size={34} strokeWidth={2.2} fill={isKept ? 'currentColor' : 'none'} />
        </span>
        <div className="grid leading-tight">
          <p className="font-display text-3xl">
            <AnimatedNumber value={streak.current} /> {streak.current === 1 ? 'day' : 'days'}
          </p>
          <p className="text-soft">{streakWords(streak, isKept)}</p>
        </div>
      </div>
      <Calendar days={streak.days} />
      <div className="flex flex-wrap gap-2">
        <Badge tone="sky">
          <Snowflake size={14} aria-hidden="true" /> {streak.freezes} of {FREEZES_MAX} freezes
        </Badge>
        <Badge tone="gold">
          +{streak.next_milestone.points} points in {left} {left === 1 ? 'day' : 'days'}
        </Badge>
        {streak.longest > streak.current && <Badge tone="ink">Best {streak.longest}</Badge>}
      </div>
      {streak.current > 0 && <ShareOwn kind="streak">Share your streak</ShareOwn>}
      <p className="text-faint text-sm">
        One closed ring a day keeps your streak. Every {FREEZE_EVERY_DAYS} days of your streak earn a freeze, which
        covers a day you miss. Travelling never breaks it.
      </p>
    </Card>
  )
}

function streakWords({ current, days }: Streak, isKept: boolean): string {
  if (isKept) return 'Today is safe. Well done.'
  if (days.at(-1)?.state === 'rest') return 'Rest day. Your streak is safe.'
  return current > 0 ? 'Close one ring to keep it going' : 'Close a ring to start a streak'
}

function Calendar({ days }: { days: CalendarDay[] }) {
  const blanks = WEEKDAYS.slice(days.length % 7 || 7)
  return (
    <div className="grid gap-2">
      <div aria-hidden="true" className="grid grid-cols-7 text-center font-semibold text-faint text-xs">
        {WEEKDAYS.map((day) => (
          <span key={day}>{day.slice(0, 2)}</span>
        ))}
      </div>
      <ol className="grid grid-cols-7 gap-y-1.5">
        {days.map((day, index) => (
          <li key={day.day} className="grid place-items-center">
            <DayMark day={day} isToday={index === days.length - 1} />
          </li>
        ))}
        {blanks.map((day) => (
          <li key={day} aria-hidden="true" className="grid place-items-center">
            <span className="size-2 rounded-full bg-track opacity-60" />
          </li>
        ))}
      </ol>
    </div>
  )
}

const stateWords = {
  before: 'before your first day',
  kept: 'kept',
  rest: 'rest day',
  travel: 'cut short by a journey, so it breaks nothing',
  frozen: 'saved by a freeze',
  missed: 'missed',
  open: 'still open',
}

const stateIcons: Partial<Record<CalendarDay['state'], LucideIcon>> = { rest: Moon, travel: Plane, frozen: Snowflake }

function DayMark({ day, isToday }: { day: CalendarDay; isToday: boolean }) {
  const StateIcon = stateIcons[day.state]
  const label = `${day.day}: ${stateWords[day.state]}${day.rings ? `, ${day.rings} rings closed` : ''}`
  const look = {
    before: 'bg-transparent text-faint',
    kept: day.rings === PILLARS.length ? 'bg-leaf text-white' : 'bg-leaf-tint text-leaf-ink',
    rest: 'bg-violet-tint text-violet-ink',
    travel: 'bg-gold-tint text-gold-ink',
    frozen: 'bg-sky-tint text-sky-ink',
    missed: 'bg-sunken text-faint',
    open: 'bg-transparent text-ink',
  }[day.state]
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={`figures grid size-9 place-items-center rounded-full font-semibold text-sm ${look} ${isToday ? 'ring-2 ring-ink ring-offset-2 ring-offset-surface' : ''}`}
    >
      {StateIcon ? <StateIcon size={16} /> : Number(day.day.slice(8))}
    </span>
  )
}
