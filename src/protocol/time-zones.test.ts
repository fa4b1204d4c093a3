import { expect, test } from 'vitest'
import { addDays, type Day } from './time.ts'
import { canonicalZone, endOfDay, localDayOf, offsetMinutes, zone } from './time-zones.ts'

test('zones are IANA names: offsets, inventions and long texts are refused, and old names equal new ones', () => {
  for (const name of ['Europe/Berlin', 'UTC', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires'])
    expect(zone.safeParse(name).success, name).toBe(true)
  for (const name of ['', '+05:30', 'Europe/Atlantis', 'Etc/Unknown', ' UTC', 'Europe/Berlin\n', 'A'.repeat(65)])
    expect(zone.safeParse(name).success, name).toBe(false)
  expect(canonicalZone('Asia/Kolkata')).toBe(canonicalZone('Asia/Calcutta'))
  expect(canonicalZone('europe/berlin')).toBe('Europe/Berlin')
})

test('offsets include daylight saving, half hours and quarters', () => {
  const at = (name: string, day: string) => offsetMinutes(name, new Date(`${day}T12:00:30.5Z`))
  expect([at('Europe/Berlin', '2026-01-15'), at('Europe/Berlin', '2026-07-15')]).toEqual([60, 120])
  expect([at('Asia/Kathmandu', '2026-01-15'), at('America/St_Johns', '2026-01-15')]).toEqual([345, -210])
  expect([at('Pacific/Kiritimati', '2026-01-15'), at('Etc/GMT+12', '2026-01-15')]).toEqual([840, -720])
})

// Berlin and New York change at night, Beirut and Santiago at midnight, Lord Howe by half an hour. In 2011 Samoa skipped
// a day.
const crossings: [string, Day, string][] = [
  ['Europe/Berlin', '2026-03-29' as Day, '2026-03-29T22:00:00.000Z'],
  ['America/New_York', '2026-11-01' as Day, '2026-11-02T05:00:00.000Z'],
  ['Asia/Beirut', '2026-03-28' as Day, '2026-03-28T22:00:00.000Z'],
  ['Asia/Beirut', '2026-10-24' as Day, '2026-10-24T22:00:00.000Z'],
  ['America/Santiago', '2026-09-05' as Day, '2026-09-06T04:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-04-05' as Day, '2026-04-05T13:30:00.000Z'],
  ['Pacific/Apia', '2011-12-29' as Day, '2011-12-30T10:00:00.000Z'],
]

test.each(crossings)('in %s, %s ends at %s', (name, day, end) => {
  const at = endOfDay(day, name)
  expect(at.toISOString()).toBe(end)
  const dayAt = (ms: number) => localDayOf(new Date(ms), offsetMinutes(name, new Date(ms)))
  expect(dayAt(at.getTime() - 1)).toBe(day)
  expect(dayAt(at.getTime()) > day).toBe(true)
})

test('each day of a year ends when the next one begins, whatever the clocks do', () => {
  for (const name of ['Europe/Berlin', 'Asia/Beirut', 'America/Santiago', 'Africa/Cairo', 'Australia/Lord_Howe'])
    for (let day = '2026-01-01' as Day; day < '2027'; day = addDays(day, 1)) {
      const hours = (endOfDay(addDays(day, 1), name).getTime() - endOfDay(day, name).getTime()) / 3_600_000
      expect(Math.abs(hours - 24), `${day} in ${name}`).toBeLessThanOrEqual(1)
    }
})
