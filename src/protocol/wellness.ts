import { z } from 'zod'
import { id } from './ids.ts'
import { nothing, route, success } from './route.ts'
import { type Day, day, dayOf, instant } from './time.ts'
import { zone } from './time-zones.ts'
import { username } from './users.ts'
import { EXERCISE_IDS } from './wellness-breathing.ts'
import {
  ENTRY_KINDS,
  IMPORT_BATCH_DAYS,
  IMPORT_SOURCES,
  MEAL_PARTS,
  MEALS,
  PILLARS,
  SOURCES,
  STEPS_DAY_MAX,
  WORKOUT_MINUTES_DAY_MAX,
  WORKOUTS,
} from './wellness-day.ts'
import { REST_DAYS_MAX } from './wellness-streak.ts'

const entryId = id('entry')
const breathingId = id('breathing')
const pillar = z.enum(PILLARS)
const count = z.int().min(0)
const weekdays = z
  .array(z.int().min(0).max(6))
  .max(REST_DAYS_MAX, `Plan at most ${REST_DAYS_MAX} rest days a week`)
  .refine((days) => new Set(days).size === days.length, 'Choose each day only once')

const ring = z.strictObject({
  pillar,
  title: z.string(),
  text: z.string(),
  goals: z.array(z.strictObject({ measure: z.string(), amount: count, value: count })),
  share: z.number(),
  closed: z.boolean(),
})

const entry = z.strictObject({
  id: entryId,
  kind: z.enum(ENTRY_KINDS),
  amount: count,
  detail: z.string(),
  parts: z.array(z.enum(MEAL_PARTS)),
  source: z.enum(SOURCES),
  at: instant,
})

const streak = z.strictObject({
  current: count,
  longest: count,
  freezes: count,
  next_milestone: z.strictObject({ days: count, points: count }),
  /** The last five weeks, oldest first. */
  days: z.array(
    z.strictObject({
      day,
      state: z.enum(['before', 'kept', 'rest', 'travel', 'frozen', 'missed', 'open']),
      rings: count,
    }),
  ),
  rest_weekdays: weekdays,
  /** The plan from next Monday on; null if it does not change. */
  rest_weekdays_next: weekdays.nullable(),
})

const today = z.strictObject({
  /** The user's own day: it follows their time zone (wellness-zones.ts). */
  day,
  /** Null until a browser has reported one. Days are UTC until then. */
  zone: z.string().nullable(),
  ends_at: instant,
  rings: z.array(ring),
  entries: z.array(entry),
  streak,
  /** The Wellness Score in percent (wellness-score.ts). */
  score: z.int().min(0).max(100),
  points: count,
  level: count,
  level_from: count,
  level_to: count,
  exercise: z.enum(EXERCISE_IDS),
})
export type WellnessToday = z.output<typeof today>
export type WellnessRing = z.output<typeof ring>
export type WellnessEntry = z.output<typeof entry>

/** What a call achieved, so that the page can celebrate it. */
const gain = z.strictObject({
  closed: z.array(pillar),
  perfect_day: z.boolean(),
  milestone_days: count.nullable(),
  points: count,
  level_before: count,
  level_after: count,
})
export type Gain = z.output<typeof gain>

const log = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('steps'),
    steps: z.int().min(1, 'Log at least one step').max(STEPS_DAY_MAX, 'That is more than anyone walks in a day'),
  }),
  z.strictObject({
    kind: z.literal('workout'),
    workout: z.enum(WORKOUTS),
    minutes: z
      .int()
      .min(1, 'Log at least one minute')
      .max(WORKOUT_MINUTES_DAY_MAX, 'That is more exercise than fits into a day'),
  }),
  z.strictObject({
    kind: z.literal('meal'),
    meal: z.enum(MEALS),
    parts: z.array(z.enum(MEAL_PARTS)).min(1, 'Choose what made it healthy').max(MEAL_PARTS.length),
  }),
])

function isRealDay(text: Day): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && dayOf(date) === text
}

const importDay = z
  .strictObject({
    day: day.refine(isRealDay, 'This day does not exist in the calendar'),
    steps: z.int().min(0).max(STEPS_DAY_MAX),
    workout_minutes: z.int().min(0).max(WORKOUT_MINUTES_DAY_MAX),
  })
  .refine((total) => total.steps + total.workout_minutes > 0, 'Each day needs steps or minutes')
export type ImportDay = z.output<typeof importDay>

const friend = z.strictObject({
  rank: count,
  username,
  level: count,
  rings_week: count,
  points_week: count,
  me: z.boolean(),
  inviter: z.boolean(),
})

const changing = { method: 'POST', auth: 'user', changes: true, limit: 'play' } as const

export const wellness = {
  today: route({
    method: 'POST',
    path: '/wellness/today/',
    summary: 'Today’s challenges and entries, your streak and your level',
    auth: 'user',
    input: nothing,
    output: success({ data: today }),
  }),
  log: route({
    ...changing,
    path: '/wellness/log/',
    summary: 'Log steps, a workout or a healthy meal for today',
    input: log,
    output: success({ gain, data: today }),
    errors: ['limit_reached', 'already_recorded'],
  }),
  remove: route({
    ...changing,
    path: '/wellness/remove/',
    summary: 'Delete one of today’s manual entries, unless a closed ring needs it',
    input: z.strictObject({ entry_id: entryId }),
    output: success({ data: today }),
    errors: ['not_found', 'not_eligible'],
  }),
  breathe: route({
    ...changing,
    path: '/wellness/breathing/start/',
    summary: 'Start a guided breathing exercise. The server measures the time',
    input: z.strictObject({ exercise: z.enum(EXERCISE_IDS) }),
    output: success({ breathing_id: breathingId, started_at: instant, length_seconds: count }),
  }),
  finishBreathing: route({
    ...changing,
    path: '/wellness/breathing/finish/',
    summary: 'Finish a breathing exercise. Refused if it is too early',
    input: z.strictObject({ breathing_id: breathingId }),
    output: success({ gain, data: today }),
    errors: ['not_found', 'too_early', 'game_over'],
  }),
  rest: route({
    ...changing,
    path: '/wellness/rest/',
    summary: 'Plan up to two rest days a week, from next Monday on',
    input: z.strictObject({ weekdays }),
    output: success({ data: today }),
  }),
  zone: route({
    ...changing,
    path: '/wellness/zone/',
    summary: 'Change the time zone that your days follow',
    input: z.strictObject({ zone }),
    output: success({ data: today }),
    errors: ['limit_reached'],
  }),
  import: route({
    ...changing,
    path: '/wellness/import/',
    summary: 'Import daily totals from an export file, marked with their source',
    input: z.strictObject({
      source: z.enum(IMPORT_SOURCES),
      days: z.array(importDay).min(1).max(IMPORT_BATCH_DAYS),
    }),
    output: success({ added: count, known: count, gain }),
    errors: ['import_refused'],
  }),
  history: route({
    method: 'POST',
    path: '/wellness/history/',
    summary: 'Totals of the last days, with their sources',
    auth: 'user',
    input: nothing,
    output: success({
      data: z.array(
        z.strictObject({
          day,
          steps: count,
          workout_minutes: count,
          meals: count,
          breathing_seconds: count,
          rings: count,
          sources: z.array(z.enum(SOURCES)),
        }),
      ),
    }),
  }),
  friends: route({
    method: 'POST',
    path: '/wellness/friends/',
    summary: 'This week’s board: people you invited and the person who invited you, if they have joined it',
    auth: 'user',
    input: nothing,
    output: success({ joined: z.boolean(), invited: count, data: z.array(friend) }),
  }),
  community: route({
    method: 'GET',
    path: '/wellness/community/',
    summary: 'What all users together have done so far, beside the season goals on the landing page',
    auth: 'none',
    shared: true,
    input: nothing,
    output: success({ data: z.strictObject({ players: count, workouts: count, challenges: count }) }),
  }),
  joinFriends: route({
    ...changing,
    path: '/wellness/friends/join/',
    summary: 'Join the board, or leave it',
    input: z.strictObject({ join: z.boolean() }),
    output: success({ joined: z.boolean() }),
  }),
}
