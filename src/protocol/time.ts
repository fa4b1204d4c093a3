import { z } from 'zod'

/** An instant: ISO 8601 in UTC on the wire, a Date in code. */
export const instant = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
})

/** A UTC calendar day, "2026-01-31", within the years that JavaScript and PostgreSQL format in the same way. */
export type Day = string & { readonly __day: true }
export const day = z.codec(
  z.iso.date().refine((text) => text >= '1970' && text < '3000', 'Choose a day between 1970 and 2999'),
  z.custom<Day>(),
  { decode: (text) => text as Day, encode: (value) => value },
)

export const DAY_MS = 86_400_000
export const dayOf = (date: Date): Day => date.toISOString().slice(0, 10) as Day
export const addDays = (from: Day, days: number): Day =>
  dayOf(new Date(Date.parse(`${from}T00:00:00Z`) + days * DAY_MS))
export const endOfDay = (day: Day): Date => new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS)
export const daysBetween = (from: Day, to: Day): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
