import { addDays, type Day } from '../../../protocol/time.ts'
import { endOfDay, offsetMinutes, UTC } from '../../../protocol/time-zones.ts'
import { levelOf, pointsForLevel } from '../../../protocol/users.ts'
import type { WellnessToday } from '../../../protocol/wellness.ts'
import { suggestExercise } from '../../../protocol/wellness-breathing.ts'
import { type Challenge, challengesOf, type Measures, measuresOf, progressOf } from '../../../protocol/wellness-day.ts'
import { WELLNESS_SCORE_DAYS, wellnessScoreOf } from '../../../protocol/wellness-score.ts'
import { mondayOf, nextMilestone, nextMonday, type RestPlan, streakOf } from '../../../protocol/wellness-streak.ts'
import { ownDayOf, travelDaysOf } from '../../../protocol/wellness-zones.ts'
import type { Db, Tx } from '../../platform/db.ts'
import {
  findFirstDay,
  findLastUsedDay,
  listCompletions,
  listEntries,
  listKeptDays,
  listRestPlans,
  listZoneChanges,
  readZone,
} from './queries.ts'

const CALENDAR_WEEKS = 5

/** Everything the page shows about today. */
export async function readToday(db: Db | Tx, userNumber: number, now: Date): Promise<WellnessToday> {
  const zone = await readZone(db, userNumber)
  const day = ownDayOf(now, offsetMinutes(zone ?? UTC, now), await findLastUsedDay(db, userNumber))
  const from = addDays(day, 1 - WELLNESS_SCORE_DAYS)
  const [logged, completions, firstDay, kept, rests, changes, user] = [
    await listEntries(db, userNumber, from, day),
    await listCompletions(db, userNumber, from, day),
    await findFirstDay(db, userNumber),
    await listKeptDays(db, userNumber),
    await listRestPlans(db, userNumber),
    await listZoneChanges(db, userNumber),
    await db.selectFrom('users').select('points').where('number', '=', userNumber).executeTakeFirstOrThrow(),
  ]
  const entries = logged.filter(({ day_on }) => day_on === day)
  const challenges = challengesOf(day)
  const breathingGoal = challenges.find(({ pillar }) => pillar === 'mindfulness')?.goals[0]?.amount ?? 0
  const level = levelOf(user.points)
  return {
    day,
    zone: zone ?? null,
    ends_at: endOfDay(day, zone ?? UTC),
    rings: ringsOf(day, logged, completions),
    entries: entries.map(({ day_on: _, created_at, ...entry }) => ({ ...entry, at: created_at })),
    streak: streakView(kept, { rests, travel: travelDaysOf(changes), today: day }),
    score: scoreOf(day, firstDay, logged, completions),
    points: Number(user.points),
    level,
    level_from: pointsForLevel(level),
    level_to: pointsForLevel(level + 1),
    exercise: suggestExercise(breathingGoal),
  }
}

type Logged = Awaited<ReturnType<typeof listEntries>>
type Completions = Awaited<ReturnType<typeof listCompletions>>

function ringsOf(day: Day, logged: Logged, completions: Completions): WellnessToday['rings'] {
  const measures = measuresOf(logged.filter(({ day_on }) => day_on === day))
  const closed = new Set(completions.filter(({ day_on }) => day_on === day).map(({ pillar }) => pillar))
  return challengesOf(day).map((challenge) => ringOf(challenge, measures, closed.has(challenge.pillar)))
}

function scoreOf(today: Day, firstDay: Day | undefined, logged: Logged, completions: Completions): number {
  const shareOf = (day: Day) => {
    const rings = ringsOf(day, logged, completions)
    return rings.reduce((sum, { share }) => sum + share, 0) / rings.length
  }
  const before = Array.from({ length: WELLNESS_SCORE_DAYS - 1 }, (_, at) =>
    addDays(today, at + 1 - WELLNESS_SCORE_DAYS),
  )
  return wellnessScoreOf(
    before.map((day) => (firstDay !== undefined && day >= firstDay ? shareOf(day) : undefined)),
    shareOf(today),
  )
}

function ringOf(challenge: Challenge, measures: Measures, closed: boolean): WellnessToday['rings'][number] {
  const { pillar, title, text, goals } = challenge
  return {
    pillar,
    title,
    text,
    goals: goals.map((goal) => ({ ...goal, value: measures[goal.measure] })),
    share: closed ? 1 : progressOf(challenge, measures).share,
    closed,
  }
}

function streakView(
  kept: { day: Day; rings: number }[],
  { rests, travel, today }: { rests: RestPlan[]; travel: Set<Day>; today: Day },
): WellnessToday['streak'] {
  const { current, longest, freezes, days } = streakOf({ kept: kept.map(({ day }) => day), rests, travel, today })
  const rings = new Map(kept.map(({ day, rings: count }) => [day, count]))
  const states = new Map(days.map(({ day, state }) => [day, state]))
  const first = addDays(mondayOf(today), -7 * (CALENDAR_WEEKS - 1))
  const calendar: WellnessToday['streak']['days'] = []
  for (let day = first; day <= today; day = addDays(day, 1))
    calendar.push({ day, state: states.get(day) ?? 'before', rings: rings.get(day) ?? 0 })
  const weekdaysOn = (day: Day) => [...(rests.findLast(({ from }) => from <= day)?.weekdays ?? [])]
  const [now, next] = [weekdaysOn(today), weekdaysOn(nextMonday(today))]
  return {
    current,
    longest,
    freezes,
    next_milestone: nextMilestone(current),
    days: calendar,
    rest_weekdays: now,
    rest_weekdays_next: now.join() === next.join() ? null : next,
  }
}
