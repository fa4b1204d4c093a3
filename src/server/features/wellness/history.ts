import { addDays, type Day } from '../../../protocol/time.ts'
import { measuresOf } from '../../../protocol/wellness-day.ts'
import type { Db } from '../../platform/db.ts'
import { listEntries, listKeptDays } from './queries.ts'

export const HISTORY_DAYS = 90

/** Days with at least one entry, newest first. */
export async function readHistory(db: Db, userNumber: number, today: Day) {
  const entries = await listEntries(db, userNumber, addDays(today, 1 - HISTORY_DAYS), today)
  const rings = new Map((await listKeptDays(db, userNumber)).map(({ day, rings: count }) => [day, count]))
  return [...Map.groupBy(entries, ({ day_on }) => day_on)]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([day, ofDay]) => {
      const { steps, workout_minutes, meals, breathing_seconds } = measuresOf(ofDay)
      const sources = [...new Set(ofDay.map(({ source }) => source))]
      return { day, steps, workout_minutes, meals, breathing_seconds, rings: rings.get(day) ?? 0, sources }
    })
}
