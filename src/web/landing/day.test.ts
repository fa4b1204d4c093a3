import { expect, test } from 'vitest'
import { addDays, type Day } from '../../protocol/time.ts'
import { challengesOf } from '../../protocol/wellness-day.ts'
import { tasks } from './day.tsx'

// The landing page must not load the schemas that the challenges come with, so it repeats four of them.
test('the day on the landing page consists of real challenges, one per pillar', () => {
  const days = Array.from({ length: 60 }, (_, at) => addDays('2026-01-01' as Day, at))
  const challenges = days.flatMap(challengesOf)
  const found = tasks.map(({ title, text }) => challenges.find((one) => one.title === title && one.text === text))
  expect(new Set(found.map((one) => one?.pillar))).toEqual(
    new Set(['mindfulness', 'nutrition', 'activity', 'challenges']),
  )
})
