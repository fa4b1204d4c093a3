import { addDays, type Day } from './time.ts'
import { TRAVEL_DAYS_MAX, TRAVEL_PERIOD_DAYS } from './wellness-zones.ts'

/**
 * A streak counts kept days: days on which at least one ring was closed. Planned rest days, and days that a journey cut
 * short, neither extend nor break it. A missed day uses up a freeze; every seventh day of a streak earns one. The streak
 * is not stored: it is computed from the kept days, the rest plans and the journeys, so it cannot get out of sync.
 */
export const FREEZES_MAX = 2
export const FREEZE_EVERY_DAYS = 7
export const REST_DAYS_MAX = 2

/** Rest on these weekdays (0 is Monday), starting with this Monday. */
export type RestPlan = { from: Day; weekdays: readonly number[] }
type DayState = 'kept' | 'rest' | 'travel' | 'frozen' | 'missed' | 'open'
export type Streak = {
  current: number
  longest: number
  freezes: number
  /** The first day of the current streak. */
  startedOn: Day | undefined
  /** Every day from the first kept day to today. */
  days: { day: Day; state: DayState }[]
}

export const weekdayOf = (day: Day): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
export const mondayOf = (day: Day): Day => addDays(day, -weekdayOf(day))
/** Plans start on the next Monday. Otherwise a user could make every tomorrow a rest day and never miss one. */
export const nextMonday = (today: Day): Day => addDays(mondayOf(today), 7)

type History = {
  kept: readonly Day[]
  rests: readonly RestPlan[]
  /** Days that a journey may have cut short (`travelDaysOf`). */
  travel: ReadonlySet<Day>
  today: Day
}

export function streakOf(input: History): Streak {
  const { today, travel } = input
  const kept = new Set(input.kept)
  const rests = input.rests.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  const first = input.kept.toSorted()[0] ?? today
  const streak: Streak = { current: 0, longest: 0, freezes: 0, startedOn: undefined, days: [] }
  for (let day = first; day <= today; day = addDays(day, 1)) {
    const excused = restsOn(day, rests) ? 'rest' : travel.has(day) && mayExcuse(streak) ? 'travel' : undefined
    const state = stateOf(day, kept.has(day), excused, streak.freezes > 0, today)
    streak.days.push({ day, state })
    advance(streak, day, state)
  }
  return streak
}

const mayExcuse = ({ days }: Streak): boolean =>
  days.slice(1 - TRAVEL_PERIOD_DAYS).filter(({ state }) => state === 'travel').length < TRAVEL_DAYS_MAX

function stateOf(
  day: Day,
  isKept: boolean,
  excused: 'rest' | 'travel' | undefined,
  hasFreeze: boolean,
  today: Day,
): DayState {
  if (isKept) return 'kept'
  if (excused === 'rest') return 'rest'
  if (day === today) return 'open'
  if (excused) return excused
  return hasFreeze ? 'frozen' : 'missed'
}

function advance(streak: Streak, day: Day, state: DayState): void {
  if (state === 'frozen') streak.freezes -= 1
  if (state === 'missed') Object.assign(streak, { current: 0, startedOn: undefined })
  if (state !== 'kept') return
  streak.current += 1
  streak.startedOn ??= day
  streak.longest = Math.max(streak.longest, streak.current)
  if (streak.current % FREEZE_EVERY_DAYS === 0) streak.freezes = Math.min(FREEZES_MAX, streak.freezes + 1)
}

function restsOn(day: Day, rests: readonly RestPlan[]): boolean {
  const plan = rests.findLast(({ from }) => from <= day)
  return plan?.weekdays.includes(weekdayOf(day)) ?? false
}

const MILESTONES: readonly { days: number; points: number }[] = [
  { days: 3, points: 20 },
  { days: 7, points: 50 },
  { days: 14, points: 100 },
  { days: 30, points: 250 },
  { days: 60, points: 500 },
]

/** The milestone at exactly this many days, if there is one. From 100 on, every hundredth day. */
export function milestoneAt(days: number): { days: number; points: number } | undefined {
  if (days > 0 && days % 100 === 0) return { days, points: 1_000 }
  return MILESTONES.find((milestone) => milestone.days === days)
}

export function nextMilestone(days: number): { days: number; points: number } {
  return (
    MILESTONES.find((milestone) => milestone.days > days) ?? { days: (Math.floor(days / 100) + 1) * 100, points: 1_000 }
  )
}
