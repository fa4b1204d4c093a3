import { type Day, dayOf } from '../../../protocol/time.ts'
import type { ImportDay } from '../../../protocol/wellness.ts'
import {
  IMPORT_YEARS_MAX,
  type ImportSource,
  isImportable,
  STEPS_DAY_MAX,
  WORKOUT_MINUTES_DAY_MAX,
} from '../../../protocol/wellness-day.ts'
import { refuse } from './refusal.ts'

export type ImportResult = {
  source: ImportSource
  /** Newest first. */
  days: ImportDay[]
  /** Counts of what was skipped: days too old or in the future, implausible totals, and unreadable records. */
  skipped: { outside: number; implausible: number; unreadable: number }
}

const DEVICES_MAX = 64
const DAYS_MAX = 40_000

/**
 * Sums by day and device. A phone and a watch count the same walk, so a day's total is the larger of the two. Memory
 * grows with the number of days and devices, both bounded, not with the size of the file.
 */
export function createTotals() {
  const byDevice = new Map<string, Map<Day, { steps: number; minutes: number }>>()
  let unreadable = 0

  function add(device: string, day: Day | undefined, amounts: { steps?: number; minutes?: number }): void {
    const { steps = 0, minutes = 0 } = amounts
    if (!day || !isAmount(steps) || !isAmount(minutes)) {
      unreadable++
      return
    }
    const name = byDevice.has(device) || byDevice.size < DEVICES_MAX ? device : ''
    const days = byDevice.get(name) ?? new Map<Day, { steps: number; minutes: number }>()
    byDevice.set(name, days)
    const total = days.get(day) ?? { steps: 0, minutes: 0 }
    if (days.size >= DAYS_MAX) refuse('This file contains too many days. Nothing was imported.')
    days.set(day, { steps: total.steps + steps, minutes: total.minutes + minutes })
  }

  function result(source: ImportSource, today: Day): ImportResult {
    const largest = new Map<Day, { steps: number; minutes: number }>()
    for (const days of byDevice.values())
      for (const [day, { steps, minutes }] of days) {
        const known = largest.get(day) ?? { steps: 0, minutes: 0 }
        largest.set(day, { steps: Math.max(known.steps, steps), minutes: Math.max(known.minutes, minutes) })
      }
    const skipped = { outside: 0, implausible: 0, unreadable }
    const days = [...largest].flatMap(([day, { steps, minutes }]) => {
      const total = { day, steps: Math.round(steps), workout_minutes: Math.round(minutes) }
      if (!isImportable(day, today)) skipped.outside++
      else if (total.steps > STEPS_DAY_MAX || total.workout_minutes > WORKOUT_MINUTES_DAY_MAX) skipped.implausible++
      else if (total.steps + total.workout_minutes > 0) return [total]
      return []
    })
    if (days.length === 0) refuse(nothingFound(skipped))
    return { source, days: days.toSorted((a, b) => (a.day < b.day ? 1 : -1)), skipped }
  }

  return { add, result }
}

const isAmount = (value: number) => Number.isFinite(value) && value >= 0

function nothingFound({ outside, implausible }: ImportResult['skipped']): string {
  if (implausible > 0) return 'The daily totals in this file are impossibly high. Nothing was imported.'
  if (outside > 0) return `Everything in this file is older than ${IMPORT_YEARS_MAX} years. Nothing was imported.`
  return 'There are no steps or workouts in this file. Nothing was imported.'
}

/** The day at the start of an ISO-like text such as "2024-01-31 08:00:00 +0100", if that date exists. */
export function dayIn(text: string | undefined): Day | undefined {
  const day = text?.slice(0, 10)
  if (!day || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && dayOf(date) === day ? (day as Day) : undefined
}
