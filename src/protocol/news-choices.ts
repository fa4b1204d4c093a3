import { type NewsKind, type NewsTopic, newsTopics, topicOf } from './news.ts'
import { offsetMinutes, UTC } from './time-zones.ts'

/** Ways out of the app. The inbox always has everything. */
export type NewsChannel = 'push' | 'email' | 'telegram'

export type NewsChoices = Record<NewsTopic, Record<NewsChannel, boolean>>
/** What a user chose, at a time when there may have been fewer topics and channels. */
export type StoredChoices = Partial<Record<NewsTopic, Partial<Record<NewsChannel, boolean>>>>

/** E-mail is for what still matters tomorrow. A channel sends nothing until the user adds it. */
const notByEmail: readonly NewsTopic[] = ['deposits', 'streak']

const topics = Object.keys(newsTopics) as NewsTopic[]
const defaults = Object.fromEntries(
  topics.map((topic) => [topic, { push: true, email: !notByEmail.includes(topic), telegram: true }]),
) as NewsChoices

/** All choices: the user's own, and defaults for topics and channels that are newer than those. */
export const choicesOf = (own: StoredChoices = {}): NewsChoices =>
  Object.fromEntries(topics.map((topic) => [topic, { ...defaults[topic], ...own[topic] }])) as NewsChoices

export const isChosen = (choices: NewsChoices, kind: NewsKind, channel: NewsChannel): boolean =>
  choices[topicOf(kind)][channel]

/** Times on the user's clock, such as 22:00 to 07:00. */
export type QuietHours = { from: string; until: string }
export const defaultQuietHours: QuietHours = { from: '22:00', until: '07:00' }

/** A thief must not have the night to work in: news about the account's safety pass quiet hours. */
const passesQuietHours = (kind: NewsKind): boolean => topicOf(kind) === 'security'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440

/** When a piece of news may be sent: now, or at the end of the quiet hours that it falls into. */
export function sendTimeOf(kind: NewsKind, now: Date, quiet: QuietHours | null, zone = UTC): Date {
  if (!quiet || passesQuietHours(kind)) return now
  const [from, until] = [minutesOf(quiet.from), minutesOf(quiet.until)]
  const offset = offsetMinutes(zone, now)
  const clock = (((Math.floor(now.getTime() / MINUTE_MS) + offset) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES
  const isQuiet = from < until ? clock >= from && clock < until : clock >= from || clock < until
  if (!isQuiet) return now
  const left = (until - clock + DAY_MINUTES) % DAY_MINUTES
  const end = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS + left * MINUTE_MS
  // The clock may change during the night.
  return new Date(end - (offsetMinutes(zone, new Date(end)) - offset) * MINUTE_MS)
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}
