import { afterAll, beforeAll, expect, test } from 'vitest'
import { wellness } from '../../../protocol/wellness.ts'
import { WORKOUT_MINUTES_DAY_MAX } from '../../../protocol/wellness-day.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.close())

test('the landing page’s figures count users, workouts that were not removed, and completed challenges', async () => {
  const { token } = await aUser(api)
  await aUser(api)
  const run = (minutes: number) => api.call(wellness.log, { kind: 'workout', workout: 'run', minutes }, token)
  await run(WORKOUT_MINUTES_DAY_MAX - 1)
  const { data } = await run(1)
  await api.call(wellness.remove, { entry_id: `entry_${data.entries.at(-1)?.id}` }, token)
  await api.call(wellness.log, { kind: 'steps', steps: 1 }, token)
  expect((await api.call(wellness.community, {})).data).toEqual({ players: 2, workouts: 1, challenges: 1 })
})
