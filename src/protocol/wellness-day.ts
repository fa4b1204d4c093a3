import { figureText } from './figures.ts'
import type { Refusal } from './rules.ts'
import { addDays, DAY_MS, type Day } from './time.ts'

/** The rules of a wellness day: challenges, what was logged, and which rings that closes. Shared by page and server. */
export const PILLARS = ['activity', 'nutrition', 'challenges', 'mindfulness'] as const
export type Pillar = (typeof PILLARS)[number]

export const ENTRY_KINDS = ['steps', 'workout', 'meal', 'breathing', 'quiz'] as const
export const SOURCES = ['manual', 'guide', 'game', 'apple_health', 'google_fit', 'health_connect', 'gpx'] as const
export const IMPORT_SOURCES = ['apple_health', 'google_fit', 'health_connect', 'gpx'] as const
export type Source = (typeof SOURCES)[number]
export type ImportSource = (typeof IMPORT_SOURCES)[number]

export const WORKOUTS = ['walk', 'run', 'ride', 'swim', 'strength', 'yoga', 'dance', 'team', 'other'] as const
export const MEALS = ['breakfast', 'lunch', 'dinner', 'snack'] as const
export const MEAL_PARTS = ['vegetables', 'fruit', 'whole_grains', 'protein', 'water'] as const
export type MealPart = (typeof MEAL_PARTS)[number]

/** Upper limits for one day. Anything above is a mistake or a lie, and is refused. */
export const STEPS_DAY_MAX = 100_000
export const WORKOUT_MINUTES_DAY_MAX = 720
export const IMPORT_YEARS_MAX = 2
export const IMPORT_DAYS_MAX = 365 * IMPORT_YEARS_MAX
/** Days per request, so that the body stays far below its size limit. */
export const IMPORT_BATCH_DAYS = 100

export const POINTS_CHALLENGE = 20
export const POINTS_PERFECT_DAY = 20

export type Entry = {
  kind: (typeof ENTRY_KINDS)[number]
  /** Steps, minutes, one meal, seconds of breathing or right answers. */
  amount: number
  parts: readonly MealPart[]
  source: Source
}

/** Refuses more of an activity than the daily maximum, counting what was already logged by hand. */
export function refuseActivity(
  { kind, amount }: { kind: 'steps' | 'workout'; amount: number },
  today: readonly Pick<Entry, 'kind' | 'amount' | 'source'>[],
): Refusal | undefined {
  const [most, unit] = kind === 'steps' ? [STEPS_DAY_MAX, 'steps'] : [WORKOUT_MINUTES_DAY_MAX, 'minutes']
  const manual = today.filter((entry) => entry.kind === kind && entry.source === 'manual')
  if (manual.reduce((sum, entry) => sum + entry.amount, amount) <= most) return undefined
  const message = `You can log at most ${figureText(most)} ${unit} a day. Nothing was added.`
  return { code: 'limit_reached', message }
}

/** Each meal counts once a day. */
export const refuseMeal = (
  meal: string,
  today: readonly { kind: Entry['kind']; detail: string }[],
): Refusal | undefined =>
  today.some(({ kind, detail }) => kind === 'meal' && detail === meal)
    ? { code: 'already_recorded', message: `Today’s ${meal} is already logged` }
    : undefined

/** Whether this day can be imported: not in the future and not too long ago. */
export const isImportable = (day: Day, today: Day): boolean => day <= today && day >= addDays(today, -IMPORT_DAYS_MAX)

export type Measures = {
  steps: number
  workout_minutes: number
  meals: number
  meals_vegetables: number
  meals_fruit: number
  meals_whole_grains: number
  meals_protein: number
  meals_water: number
  breathing_seconds: number
  quiz_correct: number
}
type Measure = keyof Measures

/** Any one of the goals closes the ring. */
export type Goal = { measure: Measure; amount: number }
export type Challenge = { pillar: Pillar; title: string; text: string; goals: readonly Goal[] }

const activity: Omit<Challenge, 'pillar'>[] = [
  move('Find your pace', 7_000, 30),
  move('Take the long way', 8_000, 35),
  move('Easy does it', 5_000, 20),
  move('Two good walks', 7_500, 30),
  move('Big stride', 10_000, 45),
]
const nutrition: Omit<Challenge, 'pillar'>[] = [
  eat('Three good meals', 'Log three healthy meals today.', 'meals', 3),
  eat('Green on the plate', 'Have vegetables with two of your meals.', 'meals_vegetables', 2),
  eat('Fruit twice', 'Have fruit with two of your meals.', 'meals_fruit', 2),
  eat('Water first', 'Drink water with three of your meals.', 'meals_water', 3),
  eat('The whole grain', 'Pick whole grains for one meal.', 'meals_whole_grains', 1),
  eat('Strong start', 'Have protein with two of your meals.', 'meals_protein', 2),
]
const challenges: Omit<Challenge, 'pillar'>[] = [
  quiz('Warm-up round', 5),
  quiz('Sharp shooter', 8),
  quiz('On a roll', 6),
]
const mindfulness: Omit<Challenge, 'pillar'>[] = [
  breathe('Two quiet minutes', 120),
  breathe('Slow it down', 180),
  breathe('A longer exhale', 120),
  breathe('Four minutes for you', 240),
]

function move(title: string, steps: number, minutes: number): Omit<Challenge, 'pillar'> {
  const text = `Walk ${figureText(steps)} steps or move for ${minutes} minutes.`
  return {
    title,
    text,
    goals: [
      { measure: 'steps', amount: steps },
      { measure: 'workout_minutes', amount: minutes },
    ],
  }
}
function eat(title: string, text: string, measure: Measure, amount: number): Omit<Challenge, 'pillar'> {
  return { title, text, goals: [{ measure, amount }] }
}
function quiz(title: string, amount: number): Omit<Challenge, 'pillar'> {
  return { title, text: `Get ${amount} answers right in one quiz game.`, goals: [{ measure: 'quiz_correct', amount }] }
}
function breathe(title: string, amount: number): Omit<Challenge, 'pillar'> {
  const text = `Breathe with the guide for ${amount / 60} minutes.`
  return { title, text, goals: [{ measure: 'breathing_seconds', amount }] }
}

/** The day's challenges, one per pillar, the same for all users. The lists differ in length, so combinations vary. */
export function challengesOf(day: Day): Challenge[] {
  const index = Math.floor(Date.parse(`${day}T00:00:00Z`) / DAY_MS)
  const lists = { activity, nutrition, challenges, mindfulness }
  return PILLARS.map((pillar) => {
    const list = lists[pillar]
    const challenge = list[((index % list.length) + list.length) % list.length]
    if (!challenge) throw new Error(`no challenge for ${pillar}`)
    return { pillar, ...challenge }
  })
}

/**
 * The totals of a day. Several sources (manual entries, a phone, an import) may describe the same walk, so the largest
 * counts, never the sum. Manual entries add up first; an imported entry is already the total of its day.
 */
export function measuresOf(entries: readonly Entry[]): Measures {
  const meals = entries.filter(({ kind }) => kind === 'meal')
  const mealsWith = (part: MealPart) => meals.filter(({ parts }) => parts.includes(part)).length
  return {
    steps: largestOfSources(entries, 'steps'),
    workout_minutes: largestOfSources(entries, 'workout'),
    meals: meals.length,
    meals_vegetables: mealsWith('vegetables'),
    meals_fruit: mealsWith('fruit'),
    meals_whole_grains: mealsWith('whole_grains'),
    meals_protein: mealsWith('protein'),
    meals_water: mealsWith('water'),
    breathing_seconds: sum(amountsOf(entries, 'breathing')),
    quiz_correct: Math.max(0, ...amountsOf(entries, 'quiz')),
  }
}

const amountsOf = (entries: readonly Entry[], kind: Entry['kind']) =>
  entries.filter((entry) => entry.kind === kind).map(({ amount }) => amount)
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)

function largestOfSources(entries: readonly Entry[], kind: 'steps' | 'workout'): number {
  const manual = sum(
    amountsOf(
      entries.filter(({ source }) => source === 'manual'),
      kind,
    ),
  )
  const imported = amountsOf(
    entries.filter(({ source }) => source !== 'manual'),
    kind,
  )
  return Math.max(manual, 0, ...imported)
}

/** The goal closest to completion, and its progress from 0 to 1. */
export function progressOf(challenge: Challenge, measures: Measures): { goal: Goal; value: number; share: number } {
  const shares = challenge.goals.map((goal) => {
    const value = measures[goal.measure]
    return { goal, value, share: Math.min(1, value / goal.amount) }
  })
  return shares.reduce((best, next) => (next.share > best.share ? next : best))
}

export const isClosed = (challenge: Challenge, measures: Measures): boolean =>
  challenge.goals.some(({ measure, amount }) => measures[measure] >= amount)

/** An entry that a closed ring needs stays: the ring has already earned its points, and counts for the health release. */
export function refuseRemoval(id: string, day: Day, entries: readonly (Entry & { id: string })[]): Refusal | undefined {
  const [now, without] = [measuresOf(entries), measuresOf(entries.filter((entry) => entry.id !== id))]
  const isNeeded = challengesOf(day).some((challenge) => isClosed(challenge, now) && !isClosed(challenge, without))
  if (!isNeeded) return undefined
  return { code: 'not_eligible', message: 'This entry closed a ring, so it can no longer be removed' }
}
