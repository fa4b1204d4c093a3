import { addDays, type Day } from '../../../protocol/time.ts'
import { levelOf } from '../../../protocol/users.ts'
import type { Gain } from '../../../protocol/wellness.ts'
import {
  challengesOf,
  isClosed,
  measuresOf,
  PILLARS,
  type Pillar,
  POINTS_CHALLENGE,
  POINTS_PERFECT_DAY,
} from '../../../protocol/wellness-day.ts'
import { milestoneAt, streakOf } from '../../../protocol/wellness-streak.ts'
import { travelDaysOf } from '../../../protocol/wellness-zones.ts'
import type { Tx } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import { awardPoints } from '../users/points.ts'
import { listEntries, listKeptDays, listRestPlans, listZoneChanges } from './queries.ts'

/** Row lock: concurrent writes of one user run one at a time, so each sees the entries of the previous one. */
export async function lockUser(tx: Tx, userNumber: number): Promise<void> {
  await tx.selectFrom('users').select('number').where('number', '=', userNumber).forNoKeyUpdate().execute()
}

const NO_GAIN: Gain = {
  closed: [],
  perfect_day: false,
  milestone_days: null,
  points: 0,
  level_before: 0,
  level_after: 0,
}

/**
 * Completes the challenges that the day's entries have met, and awards their points. Only the user's today and yesterday
 * count, because imports can be late. Older days are stored but complete nothing.
 */
export async function completeDay(
  tx: Tx,
  userNumber: number,
  { day, today }: { day: Day; today: Day },
  now: Date,
): Promise<Gain> {
  const before = await pointsOf(tx, userNumber)
  if (day > today || day < addDays(today, -1)) return { ...NO_GAIN, ...levels(before, before) }
  const closed = await insertCompletions(tx, userNumber, day, now)
  if (closed.length === 0) return { ...NO_GAIN, ...levels(before, before) }
  for (const pillar of closed)
    await awardPoints(tx, userNumber, { source: 'challenge', reference: `${day}:${pillar}`, points: POINTS_CHALLENGE })
  const perfect = await awardPerfectDay(tx, userNumber, day)
  const milestone = await awardMilestone(tx, userNumber, today)
  const after = await pointsOf(tx, userNumber)
  await publish(tx, { topic: 'wellness', user: userNumber })
  return {
    closed,
    perfect_day: perfect,
    milestone_days: milestone,
    points: Number(after - before),
    ...levels(before, after),
  }
}

async function insertCompletions(tx: Tx, userNumber: number, day: Day, now: Date): Promise<Pillar[]> {
  const measures = measuresOf(await listEntries(tx, userNumber, day, day))
  const met = challengesOf(day).filter((challenge) => isClosed(challenge, measures))
  if (met.length === 0) return []
  const rows = await tx
    .insertInto('wellness_completions')
    .values(met.map(({ pillar }) => ({ user_number: userNumber, day_on: day, pillar, completed_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('pillar')
    .execute()
  return rows.map(({ pillar }) => pillar)
}

async function awardPerfectDay(tx: Tx, userNumber: number, day: Day): Promise<boolean> {
  const rows = await tx
    .selectFrom('wellness_completions')
    .select('pillar')
    .where('user_number', '=', userNumber)
    .where('day_on', '=', day)
    .execute()
  if (rows.length < PILLARS.length) return false
  const award = { source: 'perfect_day', reference: day, points: POINTS_PERFECT_DAY }
  return (await awardPoints(tx, userNumber, award)) > 0
}

async function awardMilestone(tx: Tx, userNumber: number, today: Day): Promise<number | null> {
  const [days, rests] = [await listKeptDays(tx, userNumber), await listRestPlans(tx, userNumber)]
  const travel = travelDaysOf(await listZoneChanges(tx, userNumber))
  const streak = streakOf({ kept: days.map(({ day }) => day), rests, travel, today })
  const milestone = milestoneAt(streak.current)
  if (!milestone || !streak.startedOn) return null
  const award = { source: 'streak', reference: `${streak.startedOn}:${milestone.days}`, points: milestone.points }
  return (await awardPoints(tx, userNumber, award)) > 0 ? milestone.days : null
}

async function pointsOf(tx: Tx, userNumber: number): Promise<bigint> {
  const { points } = await tx
    .selectFrom('users')
    .select('points')
    .where('number', '=', userNumber)
    .executeTakeFirstOrThrow()
  return points
}

const levels = (before: bigint, after: bigint) => ({ level_before: levelOf(before), level_after: levelOf(after) })
