import { Apple, Brain, Footprints, type LucideIcon, Swords } from 'lucide-react'
import { figureText } from '../../protocol/figures.ts'
import type { Pillar, Source } from '../../protocol/wellness-day.ts'
import type { Tone } from '../../ui/tone.ts'

/** Names, colours and icons of the four pillars. */
export const pillars: Record<Pillar, { name: string; tone: Tone; icon: LucideIcon }> = {
  activity: { name: 'Activity', tone: 'coral', icon: Footprints },
  nutrition: { name: 'Nutrition', tone: 'leaf', icon: Apple },
  challenges: { name: 'Challenges', tone: 'sky', icon: Swords },
  mindfulness: { name: 'Mindfulness', tone: 'violet', icon: Brain },
}

export const sourceNames: Record<Source, string> = {
  manual: 'Logged by you',
  guide: 'Breathing guide',
  game: 'Quiz',
  apple_health: 'Apple Health',
  google_fit: 'Google Fit',
  health_connect: 'Health Connect',
  gpx: 'GPX track',
}

export const partNames = {
  vegetables: 'Vegetables',
  fruit: 'Fruit',
  whole_grains: 'Whole grains',
  protein: 'Protein',
  water: 'Water',
} as const

export const mealNames = { breakfast: 'Breakfast', lunch: 'Lunch', dinner: 'Dinner', snack: 'Snack' } as const

export const workoutNames = {
  walk: 'Walk',
  run: 'Run',
  ride: 'Ride',
  swim: 'Swim',
  strength: 'Strength',
  yoga: 'Yoga',
  dance: 'Dance',
  team: 'Team sport',
  other: 'Something else',
} as const

/** Progress towards a goal with its unit, such as "4,210 of 8,000 steps". */
export function goalText({ measure, amount, value }: { measure: string; amount: number; value: number }): string {
  if (measure === 'breathing_seconds') return `${clock(value)} of ${clock(amount)} min`
  const unit = { steps: 'steps', workout_minutes: 'min', quiz_correct: 'right answers' }[measure] ?? 'meals'
  return `${figureText(value)} of ${figureText(amount)} ${unit}`
}

export const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
