import { addDays, type Day } from './time.ts'

/**
 * A streak counts kept days: days on which at least one ring was closed. Planned rest days neither extend nor break it.
 * A missed day uses up a freeze; every seventh day of a streak earns one. The streak is not stored: it is computed from
 * the kept days and the rest plans, so it cannot get out of sync with them.
 */
export const FREEZES_MAX = 2
export const FREEZE_EVERY_DAYS = 7
export const REST_DAYS_MAX = 2

/** Rest on these weekdays (0 is Monday), starting with this Monday. */
export type RestPlan = { from: Day; weekdays: readonly number[] }
type DayState = 'kept' | 'rest' | 'frozen' | 'missed' | 'open'
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

export function streakOf(input: { kept: readonly Day[]; rests: readonly RestPlan[]; today: Day }): Streak {
  const { today } = input
  const kept = new Set(input.kept)
  const rests = input.rests.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  const first = input.kept.toSorted()[0] ?? today
  const streak: Streak = { current: 0, longest: 0, freezes: 0, startedOn: undefined, days: [] }
  for (let day = first; day <= today; day = addDays(day, 1)) {
    const state = stateOf(day, kept.has(day), restsOn(day, rests), streak.freezes > 0, today)
    streak.days.push({ day, state })
    advance(streak, day, state)
  }
  return streak
}

function stateOf(day: Day, isKept: boolean, isRest: boolean, hasFreeze: boolean, today: Day): DayState {
  if (isKept) return 'kept'
  if (isRest) return 'rest'
  if (day === today) return 'open'
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
