import { sql } from 'kysely'
import { addDays, dayOf } from '../../../protocol/time.ts'
import { endOfDay, offsetMinutes, UTC } from '../../../protocol/time-zones.ts'
import { streakOf } from '../../../protocol/wellness-streak.ts'
import { ownDayOf, travelDaysOf } from '../../../protocol/wellness-zones.ts'
import type { Context } from '../../context.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { type Job, MINUTE_MS } from '../../platform/jobs.ts'
import { addNews } from '../../platform/news.ts'
import { findLastUsedDay, listKeptDays, listRestPlans, listZoneChanges } from './queries.ts'

const BATCH_MAX = 1_000
/** From this hour on their own clock, users are warned. */
const WARN_HOUR = 20
/** A single day is not a streak yet. */
const STREAK_DAYS_MIN = 2
/** A rest or a journey may lie between the last kept day and today. */
const LOOK_BACK_DAYS = 7

export const streakJob = (context: Pick<Context, 'db' | 'clock'>): Job => ({
  name: 'warn-of-streaks',
  everyMs: 15 * MINUTE_MS,
  run: () => warnOfStreaks(context),
})

/** Tells users in the evening of their own zone that their streak ends today, once per day. */
export async function warnOfStreaks({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  for (let after = 0; ; ) {
    const users = await listRecent(db, now, after)
    for (const user of users) if (isEvening(user, now)) await warn(db, user, now)
    after = users.at(-1)?.number ?? 0
    if (users.length < BATCH_MAX) return
  }
}

type Candidate = { number: number; zone: string | null }

const isEvening = ({ zone }: Candidate, now: Date): boolean =>
  new Date(now.getTime() + offsetMinutes(zone ?? UTC, now) * MINUTE_MS).getUTCHours() >= WARN_HOUR

/** Users who closed a ring lately, in the order of their numbers. */
async function listRecent(db: Db, now: Date, after: number): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select u.number, (select zone from wellness_zones z where z.user_number = u.number order by changed_at desc limit 1) as zone
    from users u where u.number > ${after} and exists (select from wellness_completions c
      where c.user_number = u.number and c.day_on >= ${addDays(dayOf(now), -LOOK_BACK_DAYS)})
    order by u.number limit ${BATCH_MAX}`.execute(db)
  return rows
}

async function warn(db: Db, { number, zone }: Candidate, now: Date): Promise<void> {
  const today = ownDayOf(now, offsetMinutes(zone ?? UTC, now), await findLastUsedDay(db, number))
  const kept = (await listKeptDays(db, number)).map(({ day }) => day)
  if (kept.at(-1) === today) return
  const travel = travelDaysOf(await listZoneChanges(db, number))
  const { current, freezes, days } = streakOf({ kept, rests: await listRestPlans(db, number), travel, today })
  // A rest day, a journey or a freeze keeps the streak.
  if (current < STREAK_DAYS_MIN || freezes > 0 || travel.has(today) || days.at(-1)?.state !== 'open') return
  const facts = { days: current, ends_at: endOfDay(today, zone ?? UTC) }
  await transaction(db, (tx) => addNews(tx, { kind: 'streak_at_risk', user: number, key: today, facts }))
}
