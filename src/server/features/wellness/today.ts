import { addDays, type Day, dayOf } from '../../../protocol/time.ts'
import { levelOf, pointsForLevel } from '../../../protocol/users.ts'
import type { WellnessToday } from '../../../protocol/wellness.ts'
import { suggestExercise } from '../../../protocol/wellness-breathing.ts'
import { type Challenge, challengesOf, type Measures, measuresOf, progressOf } from '../../../protocol/wellness-day.ts'
import { mondayOf, nextMilestone, nextMonday, type RestPlan, streakOf } from '../../../protocol/wellness-streak.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { listEntries, listKeptDays, listRestPlans } from './queries.ts'

const CALENDAR_WEEKS = 5

/** Everything the page shows about today. */
export async function readToday(db: Db | Tx, userNumber: number, now: Date): Promise<WellnessToday> {
  const day = dayOf(now)
  const [entries, completions, kept, rests, user] = [
    await listEntries(db, userNumber, day, day),
    await listCompletions(db, userNumber, day),
    await listKeptDays(db, userNumber),
    await listRestPlans(db, userNumber),
    await db.selectFrom('users').select('points').where('number', '=', userNumber).executeTakeFirstOrThrow(),
  ]
  const challenges = challengesOf(day)
  const measures = measuresOf(entries)
  const breathingGoal = challenges.find(({ pillar }) => pillar === 'mindfulness')?.goals[0]?.amount ?? 0
  const level = levelOf(user.points)
  return {
    day,
    rings: challenges.map((challenge) => ringOf(challenge, measures, completions.has(challenge.pillar))),
    entries: entries.map(({ day_on: _, created_at, ...entry }) => ({ ...entry, at: created_at })),
    streak: streakView(kept, rests, day),
    points: Number(user.points),
    level,
    level_from: pointsForLevel(level),
    level_to: pointsForLevel(level + 1),
    exercise: suggestExercise(breathingGoal),
  }
}

async function listCompletions(db: Db | Tx, userNumber: number, day: Day): Promise<Set<string>> {
  const rows = await db
    .selectFrom('wellness_completions')
    .select('pillar')
    .where('user_number', '=', userNumber)
    .where('day_on', '=', day)
    .execute()
  return new Set(rows.map(({ pillar }) => pillar))
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

function streakView(kept: { day: Day; rings: number }[], rests: RestPlan[], today: Day): WellnessToday['streak'] {
  const { current, longest, freezes, days } = streakOf({ kept: kept.map(({ day }) => day), rests, today })
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
