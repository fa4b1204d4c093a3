import { expect, test } from 'vitest'
import { numberFromOutside } from '../server/testing/numbers.ts'
import { addDays, DAY_MS, type Day, dayOf, daysBetween } from './time.ts'
import { offsetMinutes, UTC } from './time-zones.ts'
import { streakOf } from './wellness-streak.ts'
import {
  limitZoneChange,
  ownDayOf,
  travelDaysOf,
  ZONE_CHANGES_MAX,
  type ZoneChange,
  zoneChangeOf,
} from './wellness-zones.ts'

const HOUR_MS = 3_600_000
/** The full run: TRAVELLERS=10000 npm test. */
const USERS = numberFromOutside('TRAVELLERS', 1_000)
const START = Date.parse('2026-01-01T00:00:00Z')
const END = START + 365 * DAY_MS

/** All offsets in use, both ends of the date line, and clocks that change at midnight, by 30 minutes, or backwards. */
const ZONES = [
  ...['Pacific/Pago_Pago', 'Pacific/Honolulu', 'Pacific/Marquesas', 'America/Los_Angeles', 'America/New_York'],
  ...['America/Santiago', 'America/St_Johns', 'America/Sao_Paulo', 'Atlantic/Azores', 'Europe/London', 'Europe/Berlin'],
  ...['Africa/Cairo', 'Asia/Beirut', 'Africa/Casablanca', 'Europe/Istanbul', 'Asia/Tehran', 'Asia/Dubai'],
  ...['Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Bangkok', 'Asia/Singapore', 'Asia/Tokyo', 'Australia/Lord_Howe'],
  ...['Australia/Sydney', 'Pacific/Auckland', 'Pacific/Chatham', 'Pacific/Apia', 'Pacific/Kiritimati', 'Etc/GMT+12'],
  UTC,
]

/** When the clocks of a zone change in this year. Asking Intl for each of millions of moments would take minutes. */
const offsets = new Map(
  ZONES.map((zone) => {
    const at = (ms: number) => offsetMinutes(zone, new Date(ms))
    const changes = [{ from: START - 3 * DAY_MS, offset: at(START - 3 * DAY_MS) }]
    for (let ms = START - 2 * DAY_MS; ms <= END + 20 * DAY_MS; ms += DAY_MS) {
      if (at(ms) === changes.at(-1)?.offset) continue
      let [before, after] = [ms - DAY_MS, ms]
      while (after - before > 60_000) {
        const middle = Math.floor((before + after) / 120_000) * 60_000
        if (at(middle) === at(ms)) after = middle
        else before = middle
      }
      changes.push({ from: after, offset: at(ms) })
    }
    return [zone, changes] as const
  }),
)
const offsetAt = (zone: string, ms: number): number =>
  offsets.get(zone)?.findLast(({ from }) => from <= ms)?.offset ?? Number.NaN

/** mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (from: number, to: number) => from + next() * (to - from)
  return {
    between,
    chance: (share: number) => next() < share,
    pick: () => ZONES[Math.floor(next() * ZONES.length)] as string,
  }
}
type Random = ReturnType<typeof randomFrom>

/** A user's account: the same rules as on the server, and nothing else. */
function createAccount() {
  const [kept, changes]: [Day[], ZoneChange[]] = [[], []]
  let zone = UTC
  const today = (ms: number) => ownDayOf(new Date(ms), offsetAt(zone, ms), kept.at(-1))
  return {
    ...{ kept, changes, today },
    setZone(next: string, ms: number): boolean {
      if (next === zone) return true
      const offsetsOf = { before: offsetAt(zone, ms), after: offsetAt(next, ms) }
      const change = zoneChangeOf(new Date(ms), offsetsOf, { lastUsed: kept.at(-1), lastKept: kept.at(-1) })
      if (limitZoneChange(change, changes.slice(-7 * ZONE_CHANGES_MAX))) return false
      zone = next
      changes.push(change)
      return true
    },
    closeRing(ms: number): void {
      const day = today(ms)
      if (kept.at(-1) !== day) kept.push(day)
    },
    streak: (ms: number) => streakOf({ kept, rests: [], travel: travelDaysOf(changes), today: today(ms) }),
  }
}

type Presence = { zone: string; from: number; to: number }

/** A year of stays, with flights between them that take 2 to 19 hours. Crews fly every two to four days. */
function journeysOf(random: Random): Presence[] {
  const stayDays = [3, 10, 40, 200][Math.floor(random.between(0, 4))] as number
  const stays: Presence[] = []
  const home = random.pick()
  for (let [from, zone] = [START, home]; from < END; ) {
    const to = Math.min(END, from + random.between(stayDays / 2, stayDays * 1.4) * DAY_MS)
    stays.push({ zone, from, to })
    const next = random.chance(0.4) ? home : random.pick()
    const shift = Math.abs(offsetAt(next, to) - offsetAt(zone, to)) / 60
    // The short way round the world, at the speed of an airliner, and a stop.
    from = to + (2 + Math.min(shift, 24 - Math.min(24, shift)) * random.between(0.9, 1.4)) * HOUR_MS
    zone = next
  }
  return stays
}

/** Runs of time with one date on the user's clock: a date may begin in one zone and go on in another. */
function datesOf(stays: readonly Presence[]): { date: number; parts: Presence[] }[] {
  const dates: { date: number; parts: Presence[] }[] = []
  for (const { zone, from, to } of stays)
    for (let ms = from; ms < to; ) {
      const date = dateAt(zone, ms)
      const part = { zone, from: ms, to: Math.min(to, endOfDate(zone, date)) }
      if (dates.at(-1)?.date === date) dates.at(-1)?.parts.push(part)
      else dates.push({ date, parts: [part] })
      ms = part.to
    }
  return dates
}

/** The date on the clock, as a number of days. */
const dateAt = (zone: string, ms: number): number => Math.floor((ms + offsetAt(zone, ms) * 60_000) / DAY_MS)

function endOfDate(zone: string, date: number): number {
  const midnight = (date + 1) * DAY_MS
  const ends = [midnight - DAY_MS, midnight + DAY_MS].map((near) => midnight - offsetAt(zone, near) * 60_000)
  return Math.min(...ends.filter((ms) => dateAt(zone, ms) > date))
}

/** Closes one ring on each date of which the user has at least an hour on the ground, at any moment of it. */
function liveHonestly(random: Random) {
  const account = createAccount()
  const lived = datesOf(journeysOf(random)).filter(
    ({ parts }) => parts.reduce((sum, { from, to }) => sum + to - from, 0) >= HOUR_MS,
  )
  let refused = 0
  for (const { parts } of lived) {
    const { zone, from, to } = parts[Math.floor(random.between(0, parts.length))] as Presence
    const ms = Math.floor(random.between(from, to))
    if (!account.setZone(zone, ms)) refused++
    account.closeRing(ms)
  }
  return { account, refused, dates: new Set(lived.map(({ date }) => date)).size }
}

test('property: users who travel for a year and close a ring on each of their dates lose no streak', () => {
  const figures = { changes: 0, refused: 0, travelDays: 0 }
  const wrong: string[] = []
  for (let seed = 1; seed <= USERS; seed++) {
    const { account, refused, dates } = liveHonestly(randomFrom(seed))
    const { kept, changes } = account
    figures.changes += changes.length
    figures.refused += refused
    // Each kept day is later than the one before it, so none is counted twice, and it is one of the user's own dates.
    const isOnce = kept.every((day, index) => index === 0 || day > (kept[index - 1] as Day)) && kept.length <= dates
    if (!isOnce) wrong.push(`user ${seed} has a day twice`)
    if (daysBetween(kept[0] as Day, kept.at(-1) as Day) === kept.length - 1) continue
    const { days, current } = account.streak(END)
    const lost = days.filter(({ state }) => state === 'missed' || state === 'frozen')
    if (lost.length > 0 || current !== kept.length) wrong.push(`user ${seed} lost ${lost[0]?.day}`)
    figures.travelDays += days.filter(({ state }) => state === 'travel').length
  }
  expect(wrong).toEqual([])
  // The limits are for attackers: no traveller meets them. And many journeys needed the rules.
  expect(figures.refused).toBe(0)
  expect(figures.changes).toBeGreaterThan(USERS * 10)
  expect(figures.travelDays).toBeGreaterThan(USERS / 2)
})

test('attack: changing the zone every few hours for a year gains no more than two days on the calendar', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = randomFrom(seed)
    const account = createAccount()
    for (let ms = START; ms < END; ms += random.between(0.1, 8) * HOUR_MS) {
      account.setZone(random.pick(), Math.floor(ms))
      account.closeRing(Math.floor(ms))
    }
    expect(new Set(account.kept).size).toBe(account.kept.length)
    expect(account.kept.length).toBeLessThanOrEqual(365 + 2)
  }
})

const at = (text: string): number => Date.parse(text)

test('attack: a day cannot be logged twice, and a day that is over is not reopened once the next is in use', () => {
  const account = createAccount()
  account.setZone('Pacific/Kiritimati', at('2026-03-03T11:00:00Z'))
  account.closeRing(at('2026-03-03T11:00:00Z'))
  expect(account.kept).toEqual(['2026-03-04'])
  // Back to where it still is the 3rd, and even the 2nd: today stays the 4th.
  for (const zone of ['Europe/Berlin', 'Etc/GMT+12', 'Pacific/Kiritimati']) {
    expect(account.setZone(zone, at('2026-03-03T11:30:00Z'))).toBe(true)
    account.closeRing(at('2026-03-03T11:30:00Z'))
  }
  expect(account.kept).toEqual(['2026-03-04'])
})

test('attack: open days can be made longer four times a week, and never beyond the end of the day in UTC−12', () => {
  const account = createAccount()
  const late: Day[] = []
  // Every evening at 23:50 UTC with the ring still open: to UTC−12, close it an hour later, and back.
  for (let evening = at('2026-03-02T23:50:00Z'); evening < at('2026-04-30T00:00:00Z'); evening += DAY_MS) {
    const before = account.kept.length
    account.setZone('Etc/GMT+12', evening)
    account.closeRing(evening + HOUR_MS)
    account.setZone(UTC, evening + 2 * HOUR_MS)
    if (account.kept.length > before && account.kept.at(-1) === dayOf(new Date(evening)))
      late.push(dayOf(new Date(evening)))
  }
  expect(late.length).toBeGreaterThan(4)
  for (const day of late)
    expect(late.filter((other) => other >= day && other < addDays(day, 7)).length).toBeLessThanOrEqual(4)
  const missed = createAccount()
  missed.setZone('Etc/GMT+12', at('2026-03-04T11:59:00Z'))
  expect(missed.today(at('2026-03-04T11:59:00Z'))).toBe('2026-03-03')
  expect(missed.today(at('2026-03-04T12:00:00Z'))).toBe('2026-03-04')
})

test('attack: flying east for a day off excuses two days a week, no more', () => {
  const account = createAccount()
  const first = at('2026-03-02T12:00:00Z')
  account.closeRing(first)
  // Never a ring again, but every day to the east and, while that is allowed, back.
  for (let day = 1; day <= 14; day++) {
    account.setZone('Asia/Tokyo', first + day * DAY_MS)
    account.setZone('America/New_York', first + day * DAY_MS + HOUR_MS)
  }
  const { days, current } = account.streak(first + 14 * DAY_MS)
  expect(current).toBe(0)
  expect(days.slice(0, 5).map(({ state }) => state)).toEqual(['kept', 'travel', 'travel', 'missed', 'missed'])
})

test('a seventh change within 24 hours is refused, and the day stays as it is', () => {
  const account = createAccount()
  const zones = ['Asia/Tokyo', 'Asia/Bangkok', 'Asia/Dubai', 'Europe/Berlin', 'Europe/London', 'Atlantic/Azores']
  const noon = at('2026-03-03T02:00:00Z')
  expect(zones.map((zone, minute) => account.setZone(zone, noon + minute * 60_000))).toEqual(zones.map(() => true))
  expect(account.setZone('America/New_York', noon + HOUR_MS)).toBe(false)
  expect(account.today(noon + HOUR_MS)).toBe('2026-03-03')
  expect(account.setZone('America/New_York', noon + DAY_MS)).toBe(true)
})
