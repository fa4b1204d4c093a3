import type { Refusal } from './rules.ts'
import { addDays, DAY_MS, type Day } from './time.ts'
import { localDayOf } from './time-zones.ts'

/**
 * Which day it is for people who travel. Your day is the date on your clock, but never earlier than the last day for
 * which you logged something: so no day is counted twice, and none can be reopened once the next one is in use. To the
 * west a day gets longer. To the east days get shorter, or one is skipped: those break no streak. Both have limits,
 * because anyone can set a clock to any zone. However often it changes, a day is over when it is over in UTC−12.
 */
const HOUR_MINUTES = 60
/** Up to this much is no journey: 20 hours of each day are left. */
const SMALL_MINUTES = 4 * HOUR_MINUTES
/** The legs of a journey add up. */
const JOURNEY_MS = 2 * DAY_MS
/** In seven days, open days can be made longer by this much in total. Crews that fly every two days need less. */
const LONGER_MINUTES_MAX = 48 * HOUR_MINUTES
const LONGER_PERIOD_MS = 7 * DAY_MS
/** Per day: two journeys with two stops each. Every change is a row that is kept. */
export const ZONE_CHANGES_MAX = 6
/** Journeys excuse so many days in any seven, the same as rest days: changing the zone for a day off gains nothing. */
export const TRAVEL_DAYS_MAX = 2
export const TRAVEL_PERIOD_DAYS = 7

export type ZoneChange = {
  at: Date
  /** The user's day right after the change. */
  day: Day
  /** How far the clock went forward: this much of the user's days is gone. */
  shorterMinutes: number
  /** How far it went back on a day on which no ring was closed yet. */
  longerMinutes: number
}

/** The user's day. `lastUsed` is the latest day for which something is logged. */
export function ownDayOf(now: Date, offset: number, lastUsed: Day | undefined): Day {
  const onTheClock = localDayOf(now, offset)
  return lastUsed !== undefined && lastUsed > onTheClock ? lastUsed : onTheClock
}

/** What a change from one offset to another does to the user's days. */
export function zoneChangeOf(
  at: Date,
  { before, after }: { before: number; after: number },
  { lastUsed, lastKept }: { lastUsed: Day | undefined; lastKept: Day | undefined },
): ZoneChange {
  const day = ownDayOf(at, after, lastUsed)
  const isOpen = lastKept === undefined || lastKept < day
  return {
    at,
    day,
    shorterMinutes: Math.max(0, after - before),
    longerMinutes: isOpen ? Math.max(0, before - after) : 0,
  }
}

/** Refuses to make open days longer again and again. */
export function limitZoneChange(change: ZoneChange, earlier: readonly ZoneChange[]): Refusal | undefined {
  const within = (ms: number) => earlier.filter(({ at }) => at.getTime() > change.at.getTime() - ms)
  if (within(DAY_MS).length >= ZONE_CHANGES_MAX)
    return refused(`You can change your time zone ${ZONE_CHANGES_MAX} times a day. Try again tomorrow.`)
  const longer = within(LONGER_PERIOD_MS).reduce((sum, { longerMinutes }) => sum + longerMinutes, change.longerMinutes)
  if (change.longerMinutes === 0 || longer <= LONGER_MINUTES_MAX) return undefined
  return refused('You set your clock back too often this week. Close a ring today first, or try again in a few days.')
}

const refused = (message: string): Refusal => ({ code: 'limit_reached', message })

/**
 * Days that a journey to the east may have cut short or skipped: the day of the change and the two before it. The
 * server learns of a journey only when the app is opened again, so it cannot tell which of them it was.
 */
export function travelDaysOf(changes: readonly ZoneChange[]): Set<Day> {
  const days = new Set<Day>()
  for (const [index, { at, day, shorterMinutes }] of changes.entries()) {
    if (shorterMinutes === 0) continue
    let journeyMinutes = 0
    for (let leg = index; leg >= 0; leg--) {
      const { at: legAt, shorterMinutes: minutes } = changes[leg] as ZoneChange
      if (legAt.getTime() <= at.getTime() - JOURNEY_MS) break
      journeyMinutes += minutes
    }
    if (journeyMinutes > SMALL_MINUTES) for (const before of [0, 1, 2]) days.add(addDays(day, -before))
  }
  return days
}
