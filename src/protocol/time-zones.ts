import { z } from 'zod'
import { addDays, DAY_MS, type Day, dayOf } from './time.ts'

/** Time zones, by their IANA names ("Europe/Berlin"). Offsets are minutes east of UTC, as the wall clock shows them. */
export const UTC = 'UTC'
const MINUTE_MS = 60_000
const ZONE_CHARS_MAX = 64

/** The engine's own name of a zone, so that an old and a new name are equal. Undefined if it knows no such zone. */
export function canonicalZone(name: string): string | undefined {
  // Engines also accept offsets such as "+05:30". They have no daylight saving, so they are not zones.
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

type WithTemporal = { Temporal?: { Now: { zonedDateTimeISO: (zone: string) => { timeZoneId: string } } } }

/**
 * Temporal, where it exists, knows the zones at once. A date format loads the browser's tables of languages, which takes a
 * phone 100 ms.
 */
function isZone(name: string): boolean {
  const { Temporal } = globalThis as WithTemporal
  if (!Temporal) return canonicalZone(name) !== undefined
  try {
    // It also accepts offsets, and times that name a zone.
    const { timeZoneId } = Temporal.Now.zonedDateTimeISO(name)
    return /^[A-Za-z]/.test(name) && timeZoneId.toLowerCase() === name.toLowerCase()
  } catch {
    return false
  }
}

export const zone = z.string().max(ZONE_CHARS_MAX).refine(isZone, 'Choose a time zone from the list')

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Swedish dates are ISO 8601, so `Date.parse` reads them back. Making a format is slow, so each zone keeps its own. */
function clockOf(name: string): Intl.DateTimeFormat {
  const known = clocks.get(name)
  if (known) return known
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  const clock = new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone: name })
  clocks.set(name, clock)
  return clock
}

export function offsetMinutes(name: string, at: Date): number {
  const wall = Date.parse(`${clockOf(name).format(at).replace(' ', 'T')}Z`)
  return Math.round(wall / MINUTE_MS - Math.floor(at.getTime() / MINUTE_MS))
}

/** The date on a clock that shows this offset. */
export const localDayOf = (at: Date, offset: number): Day => dayOf(new Date(at.getTime() + offset * MINUTE_MS))

/**
 * The first moment in the zone that belongs to a later day. Clocks may change at midnight, and a zone may skip a whole
 * day, so this tries the offsets of both sides.
 */
export function endOfDay(day: Day, name: string): Date {
  const midnight = Date.parse(`${addDays(day, 1)}T00:00:00Z`)
  const moments = [midnight - DAY_MS, midnight + DAY_MS]
    .map((near) => midnight - offsetMinutes(name, new Date(near)) * MINUTE_MS)
    .toSorted((a, b) => a - b)
  const end = moments.find((at) => localDayOf(new Date(at), offsetMinutes(name, new Date(at))) > day)
  if (end === undefined) throw new Error(`${day} does not end in ${name}`)
  return new Date(end)
}
