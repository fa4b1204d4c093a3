import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wellness } from '../../../protocol/wellness.ts'
import { PILLARS, WORKOUT_MINUTES_DAY_MAX } from '../../../protocol/wellness-day.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { countEverything } from './community.ts'

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

test('challenges of complete days are counted once, and new ones are added to them', async () => {
  const { number } = await aUser(api)
  const { db } = api.context
  const before = (await countEverything(db)).challenges
  const complete = (days: string) =>
    sql`
    insert into wellness_completions (user_number, day_on, pillar, completed_at)
    select ${number}::int, (now() - n * interval '1 day')::date, pillar, now() - n * interval '1 day'
    from unnest(${[...PILLARS]}::text[]) pillar, ${sql.raw(days)} n`.execute(db)
  await complete('generate_series(3, 402)')
  // Each call counts at least a month.
  for (let turn = 0; turn < 14; turn++) expect((await countEverything(db)).challenges).toBe(before + 1_600)
  const { rows } = await sql`select from history_days where history = 'challenges'`.execute(db)
  expect(rows).toHaveLength(400)
  await complete('generate_series(0, 1)')
  for (let turn = 0; turn < 2; turn++) expect((await countEverything(db)).challenges).toBe(before + 1_608)
})
