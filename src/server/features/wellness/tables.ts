import type { Id } from '../../../protocol/ids.ts'
import type { Day } from '../../../protocol/time.ts'
import type { ExerciseId } from '../../../protocol/wellness-breathing.ts'
import type { Entry, MealPart, Pillar, Source } from '../../../protocol/wellness-day.ts'

export type WellnessTables = {
  wellness_entries: {
    id: Id<'entry'>
    user_number: number
    day_on: Day
    kind: Entry['kind']
    amount: number
    detail: string
    parts: MealPart[]
    source: Source
    created_at: Date
    removed_at: Date | null
  }
  wellness_completions: { user_number: number; day_on: Day; pillar: Pillar; completed_at: Date }
  wellness_breathing: {
    id: Id<'breathing'>
    user_number: number
    exercise: ExerciseId
    length_seconds: number
    started_at: Date
    finished_at: Date | null
  }
  wellness_rest_plans: { user_number: number; from_on: Day; weekdays: number[] }
  wellness_zones: {
    user_number: number
    changed_at: Date
    zone: string
    day_on: Day
    shorter_minutes: number
    longer_minutes: number
  }
  wellness_friends: { user_number: number; joined: boolean }
}
