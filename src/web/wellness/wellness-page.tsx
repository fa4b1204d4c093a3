import { useState } from 'react'
import type { Gain, WellnessToday } from '../../protocol/wellness.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useStoredUser } from '../shared/api/use-stored-user.ts'
import { BreathingGuide } from '../shared/breathing/guide.tsx'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { DayLog } from './day-log.tsx'
import { Friends } from './friends.tsx'
import { History } from './history.tsx'
import { ImportCard } from './import-card.tsx'
import { LogActivity } from './log-activity.tsx'
import { LogMeal } from './log-meal.tsx'
import { Moment } from './moment.tsx'
import { PillarCards } from './pillar-cards.tsx'
import { RestDays } from './rest-days.tsx'
import { StreakCard } from './streak-card.tsx'
import { TodayRings } from './today-rings.tsx'
import { showToday, useCelebration, useToday } from './use-today.ts'
import { ZoneNote } from './zone-note.tsx'

export type Action = 'activity' | 'meal' | 'breathing'

/** Daily Challenges: today's four rings, the actions that close them, and the history. */
export function WellnessPage() {
  const today = useToday()
  if (today.isLoadingError) return <FailedRead error={today.error} onRetry={() => today.refetch()} />
  if (!today.data) return <PageSkeleton />
  return <Day today={today.data.data} />
}

function Day({ today }: { today: WellnessToday }) {
  const user = useStoredUser()
  const [action, setAction] = useState<Action>()
  const { moment, onGain, endMoment } = useCelebration()
  const close = () => setAction(undefined)
  const onDone = (reply: { gain: Gain; data: WellnessToday; Msg: string }) => {
    close()
    showToday(reply.data)
    onGain(reply.gain, reply.Msg)
  }
  return (
    <div className="grid gap-5 wide:gap-6">
      <Heading username={user?.username} today={today} />
      <ZoneNote today={today} />
      <div className="grid gap-5 lg:grid-cols-[1.25fr_1fr] wide:gap-6">
        <TodayRings today={today} />
        <div className="max-lg:order-2">
          <StreakCard today={today} />
        </div>
        <div className="lg:col-span-2">
          <PillarCards today={today} onAction={setAction} />
        </div>
      </div>
      <div className="grid items-start gap-5 lg:grid-cols-[1.25fr_1fr] wide:gap-6">
        <div className="grid gap-5 wide:gap-6">
          <History today={today.day} />
          <ImportCard today={today.day} onGain={onGain} />
        </div>
        <div className="grid gap-5 wide:gap-6">
          <DayLog today={today} />
          <Friends />
          <RestDays today={today} />
        </div>
      </div>
      <LogActivity open={action === 'activity'} onClose={close} onDone={onDone} today={today} />
      <LogMeal open={action === 'meal'} onClose={close} onDone={onDone} today={today} />
      {action === 'breathing' && <BreathingGuide suggested={today.exercise} onClose={close} onDone={onDone} />}
      <Moment gain={moment} onClose={endMoment} />
    </div>
  )
}

function Heading({ username, today }: { username: string | undefined; today: WellnessToday }) {
  const open = today.rings.filter(({ closed }) => !closed).length
  const words = [
    'All four rings closed. See you tomorrow!',
    'One ring to go.',
    'Halfway there.',
    'A good start. Three more to close.',
    'Four small things for a good day.',
  ]
  return (
    <header>
      <p className="font-semibold text-faint text-sm">{username ? `Hello, ${username}` : 'Hello'}</p>
      <h1 className="mt-1 text-3xl sm:text-4xl">Daily Challenges</h1>
      <p className="mt-2 text-lg text-soft">{words[open]}</p>
    </header>
  )
}

function PageSkeleton() {
  return (
    <div className="grid gap-5" role="status" aria-label="Loading today">
      <Skeleton className="h-10 w-64" />
      <Skeleton className="h-80 w-full rounded-card" />
      <div className="grid gap-5 sm:grid-cols-2">
        <Skeleton className="h-44 w-full rounded-card" />
        <Skeleton className="h-44 w-full rounded-card" />
      </div>
    </div>
  )
}
