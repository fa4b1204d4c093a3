import { activityBody } from './activity-body.ts'
import { activityEveryday } from './activity-everyday.ts'
import { activitySafety } from './activity-safety.ts'
import { activitySports } from './activity-sports.ts'
import { activityTraining } from './activity-training.ts'
import { mindfulnessMind } from './mindfulness-mind.ts'
import { mindfulnessMoney } from './mindfulness-money.ts'
import { mindfulnessNature } from './mindfulness-nature.ts'
import { mindfulnessPractice } from './mindfulness-practice.ts'
import { mindfulnessThinking } from './mindfulness-thinking.ts'
import { nutritionFood } from './nutrition-food.ts'
import { nutritionHabits } from './nutrition-habits.ts'
import { nutritionKitchen } from './nutrition-kitchen.ts'
import { nutritionScience } from './nutrition-science.ts'
import type { Question } from './question.ts'
import { sleepBasics } from './sleep-basics.ts'
import { sleepHabits } from './sleep-habits.ts'
import { sleepNature } from './sleep-nature.ts'
import { sleepScience } from './sleep-science.ts'

/**
 * Our questions follow mainstream guidance (WHO and national health services). They are not medical advice. The body and
 * safety belong to activity, water to nutrition, and nature, thinking and money to mindfulness.
 */
export const bank: readonly Question[] = [
  ...activityEveryday,
  ...activityTraining,
  ...activityBody,
  ...activitySafety,
  ...activitySports,
  ...nutritionFood,
  ...nutritionHabits,
  ...nutritionScience,
  ...nutritionKitchen,
  ...mindfulnessPractice,
  ...mindfulnessMind,
  ...mindfulnessNature,
  ...mindfulnessThinking,
  ...mindfulnessMoney,
  ...sleepBasics,
  ...sleepHabits,
  ...sleepScience,
  ...sleepNature,
]

const byId = new Map(bank.map((question) => [question.id, question]))

export function getQuestion(id: string): Question {
  const question = byId.get(id)
  if (!question) throw new Error(`There is no question ${id}`)
  return question
}
