import { figureText } from '../protocol/figures.ts'
import type { Usdt } from '../protocol/money.ts'
import type { Day } from '../protocol/time.ts'

const MICRO_PER_CENT = 10_000n
const MICRO_PER_USDT = 1_000_000n

/**
 * Whole part with thousands separators, and two decimals rounded towards zero: never more than there is. An exact amount
 * has all six decimals instead, unless the last four are zero.
 */
export function moneyParts(amount: Usdt, exact = false): { sign: '' | '−'; whole: string; decimals: string } {
  const micros = amount < 0n ? -amount : amount
  const six = (micros % MICRO_PER_USDT).toString().padStart(6, '0')
  const isCut = !exact || six.endsWith('0000')
  return {
    sign: amount < 0n && (exact || micros >= MICRO_PER_CENT) ? '−' : '',
    whole: figureText(micros / MICRO_PER_USDT),
    decimals: isCut ? six.slice(0, 2) : six,
  }
}

export function moneyText(amount: Usdt): string {
  const { sign, whole, decimals } = moneyParts(amount)
  return `${sign}${whole}.${decimals}`
}

/** With as many decimals as the amount has, for sentences and buttons: 5,000 or 0.25. */
export const amountText = (amount: Usdt): string => exactMoneyText(amount).replace(/\.?0+$/, '')

/** All six decimals, so that shown amounts add up exactly. */
export function exactMoneyText(amount: Usdt): string {
  const { whole } = moneyParts(amount)
  const micros = amount < 0n ? -amount : amount
  return `${amount < 0n ? '−' : ''}${whole}.${String(micros % MICRO_PER_USDT).padStart(6, '0')}`
}

/** Only for drawing, such as the height of a bar. It loses precision, so never show or send it. */
export const drawableUsdt = (amount: Usdt): number => Number(amount / MICRO_PER_CENT) / 100

/** One frame of an animation between two amounts. At share 1 it is exactly the second amount. */
export const mixUsdt = (from: Usdt, to: Usdt, share: number): Usdt =>
  share >= 1 ? to : ((from + ((to - from) * BigInt(Math.round(share * 1_000))) / 1_000n) as Usdt)

/** 1,500 parts per million are 0.15%. */
export function percentText(ppm: bigint | number): string {
  const parts = BigInt(ppm)
  const decimals = (parts % 10_000n)
    .toString()
    .padStart(4, '0')
    .replace(/0{1,2}$/, '')
  return `${parts / 10_000n}.${decimals}%`
}

/** "12 s", "3 min", "5 h" or "2 days". */
export function durationText(seconds: number): string {
  if (seconds < 90) return `${seconds} s`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`
  return seconds < 48 * 3_600 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`
}

// These formats are written out, because the browser needs 25 ms to make the first of its own, and a phone 100 ms.

/** "1, 7 or 30". */
export const orText = (values: readonly (string | number)[]): string =>
  [values.slice(0, -1).join(', '), ...values.slice(-1)].filter((part) => part !== '').join(' or ')

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec']
const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** "18 Nov", on the reader's clock. */
export const dayAndMonthText = (date: Date): string => `${date.getDate()} ${MONTHS[date.getMonth()]}`
/** "08:05", on the reader's clock. */
export const timeText = (date: Date): string => `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
export const dateText = (date: Date): string => `${dayAndMonthText(date)} ${date.getFullYear()}`
export const dateTimeText = (date: Date): string => `${dateText(date)}, ${timeText(date)}`

/** A UTC calendar day without its year. In the reader's time zone it could be shown as the day before. */
export function shortDayText(day: Day): string {
  const date = new Date(day)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`
}
export const dayText = (day: Day): string => `${shortDayText(day)} ${day.slice(0, 4)}`

/** When UTC days end, and when that is on the reader's clock: "midnight UTC (02:00 your time)". */
export function midnightUtcText(now: Date): string {
  const midnight = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
  return midnight.getTimezoneOffset() === 0 ? 'midnight UTC' : `midnight UTC (${timeText(midnight)} your time)`
}

/** On the reader's clock, with the name of their zone, for times that decide something: "1 Apr 2026, 02:00 CEST". */
export const zonedText = (date: Date, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    ...{ day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
    ...(timeZone && { timeZone }),
  }).format(date)

/** Messages of the server name times in UTC, because it does not know the reader's zone. */
export const withLocalTimes = (text: string, timeZone?: string): string =>
  text.replace(/\b(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}) UTC\b/g, (_, day: string, time: string) =>
    zonedText(new Date(`${day}T${time}Z`), timeZone),
  )
