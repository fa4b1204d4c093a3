import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, DAY_MS, type Day, dayOf } from '../../../protocol/time.ts'
import { wellness } from '../../../protocol/wellness.ts'
import { challengesOf, IMPORT_DAYS_MAX, MEAL_PARTS, type MEALS } from '../../../protocol/wellness-day.ts'
import { transaction } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { recordSeen } from './log.ts'

let api: TestApi
// A Tuesday.
const start = new Date('2026-03-03T10:00:00Z')
let now = start

beforeAll(async () => {
  api = await createTestApi({ clock: { now: () => now } })
})
afterAll(() => api.close())

const goalOf = (pillar: string, measure?: string, day = dayOf(now)) => {
  const goals = challengesOf(day).find((challenge) => challenge.pillar === pillar)?.goals ?? []
  return goals.find((goal) => !measure || goal.measure === measure)?.amount ?? 0
}
const logSteps = (token: string, steps: number) => api.call(wellness.log, { kind: 'steps', steps }, token)
const logMeal = (token: string, meal: (typeof MEALS)[number]) =>
  api.call(wellness.log, { kind: 'meal', meal, parts: [...MEAL_PARTS] }, token)
const at = async <Result>(date: Date, work: () => Promise<Result>): Promise<Result> => {
  now = date
  try {
    return await work()
  } finally {
    now = start
  }
}

test('a new day has four open rings and no streak', async () => {
  const { token } = await aUser(api)
  const { data } = await api.call(wellness.today, {}, token)
  expect(data.rings.map(({ pillar, share, closed }) => [pillar, share, closed])).toEqual([
    ['activity', 0, false],
    ['nutrition', 0, false],
    ['challenges', 0, false],
    ['mindfulness', 0, false],
  ])
  expect(data).toMatchObject({ day: '2026-03-03', streak: { current: 0, freezes: 0 }, level: 0, level_to: 100 })
  expect(data.streak.days).toHaveLength(30)
})

test('the Wellness Score is 65 until the first activity, then follows the rings of the last seven days', async () => {
  const { token } = await aUser(api)
  const scoreOn = (days: number) =>
    at(new Date(start.getTime() + days * DAY_MS), async () => (await api.call(wellness.today, {}, token)).data.score)
  expect(await scoreOn(0)).toBe(65)
  expect(await scoreOn(30)).toBe(65)
  const { data } = await logSteps(token, goalOf('activity', 'steps'))
  expect(data.score).toBe(66)
  // One of four rings yesterday, and five days that still count as the start.
  expect(await scoreOn(1)).toBe(58)
  // Six days without a ring, then none of the first week.
  expect(await scoreOn(6)).toBe(4)
  expect(await scoreOn(7)).toBe(0)
})

test('a removed entry is not a first activity', async () => {
  const { token } = await aUser(api)
  const { data } = await logSteps(token, 1)
  const [entry] = data.entries
  if (!entry) throw new Error('nothing logged')
  const removed = await api.call(wellness.remove, { entry_id: `entry_${entry.id}` }, token)
  expect(removed.data.score).toBe(65)
  expect(await at(new Date(start.getTime() + DAY_MS), () => api.call(wellness.today, {}, token))).toMatchObject({
    data: { score: 65 },
  })
})

test('one step short leaves the ring open, one more closes it, and no ring closes twice', async () => {
  const { token } = await aUser(api)
  const goal = goalOf('activity', 'steps')
  expect((await logSteps(token, goal - 1)).gain).toMatchObject({ closed: [], points: 0 })
  const closing = await logSteps(token, 1)
  expect(closing.gain).toMatchObject({ closed: ['activity'], points: 20, perfect_day: false })
  expect(closing.data).toMatchObject({ points: 20, streak: { current: 1 } })
  expect((await logSteps(token, 500)).gain).toMatchObject({ closed: [], points: 0 })
})

test('a workout closes the activity ring, just as steps do', async () => {
  const { token } = await aUser(api)
  const minutes = goalOf('activity', 'workout_minutes')
  const { gain, data } = await api.call(wellness.log, { kind: 'workout', workout: 'yoga', minutes }, token)
  expect(gain.closed).toEqual(['activity'])
  expect(data.entries).toMatchObject([{ kind: 'workout', detail: 'yoga', source: 'manual', amount: minutes }])
})

test('a user can log 100,000 steps a day, and not one more', async () => {
  const { token } = await aUser(api)
  await logSteps(token, 99_999)
  await logSteps(token, 1)
  await expect(logSteps(token, 1)).rejects.toThrow('limit_reached: You can log at most 100,000 steps a day')
  const refused = await api.send('POST', '/wellness/log/', { kind: 'steps', steps: 100_001 }, { token })
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_input', field: 'steps' } })
})

test('steps logged concurrently add up, and the ring closes once', async () => {
  const { token } = await aUser(api)
  const part = Math.ceil(goalOf('activity', 'steps') / 8)
  const replies = await Promise.all(Array.from({ length: 8 }, () => logSteps(token, part)))
  expect(replies.filter(({ gain }) => gain.closed.length > 0)).toHaveLength(1)
  expect((await api.call(wellness.today, {}, token)).data.points).toBe(20)
})

test('each meal counts once a day, and can be removed', async () => {
  const { token } = await aUser(api)
  const { data } = await logMeal(token, 'lunch')
  await expect(logMeal(token, 'lunch')).rejects.toThrow('already_recorded: Today’s lunch is already logged')
  const entry_id = `entry_${data.entries[0]?.id}`
  expect((await api.call(wellness.remove, { entry_id }, token)).data.entries).toEqual([])
  await expect(api.call(wellness.remove, { entry_id }, token)).rejects.toThrow('not_found')
  const gains = [await logMeal(token, 'lunch'), await logMeal(token, 'dinner'), await logMeal(token, 'snack')]
  const closing = gains.findIndex(({ gain }) => gain.closed.includes('nutrition'))
  expect(closing).toBe(goalOf('nutrition') - 1)
})

test('another user’s entry gets 404, as if it did not exist', async () => {
  const [owner, other] = [await aUser(api), await aUser(api)]
  const { data } = await logSteps(owner.token, 10)
  const entry_id = `entry_${data.entries[0]?.id}`
  await expect(api.call(wellness.remove, { entry_id }, other.token)).rejects.toThrow('not_found')
  expect((await api.call(wellness.today, {}, owner.token)).data.entries).toHaveLength(1)
})

test('an entry that closed a ring cannot be removed, one that the ring does not need can', async () => {
  const { token } = await aUser(api)
  const goal = goalOf('activity', 'steps')
  await logSteps(token, goal)
  const { data } = await logSteps(token, 500)
  const [closing, extra] = data.entries.map(({ id }) => ({ entry_id: `entry_${id}` }))
  await api.call(wellness.remove, extra as { entry_id: string }, token)
  await expect(api.call(wellness.remove, closing as { entry_id: string }, token)).rejects.toThrow(
    'not_eligible: This entry closed a ring, so it can no longer be removed',
  )
  const after = await api.call(wellness.today, {}, token)
  expect(after.data).toMatchObject({ points: 20, streak: { current: 1 }, entries: [{ amount: goal }] })
  expect(after.data.rings[0]).toMatchObject({ closed: true, share: 1 })
})

test('a breathing exercise finished 1.5 seconds early is refused; finished on time it counts, but only once', async () => {
  const { token } = await aUser(api)
  const { breathing_id, length_seconds, started_at } = await api.call(
    wellness.breathe,
    { exercise: 'deep_calm' },
    token,
  )
  const input = { breathing_id: `breathing_${breathing_id}` }
  const after = (seconds: number) => new Date(started_at.getTime() + seconds * 1_000)
  const finish = () => api.call(wellness.finishBreathing, input, token)
  await expect(at(after(length_seconds - 1.5), finish)).rejects.toThrow('too_early: Stay with it: 2 more seconds')
  const { gain, data } = await at(after(length_seconds), finish)
  expect(gain.closed).toEqual(['mindfulness'])
  expect(data.entries).toMatchObject([{ kind: 'breathing', source: 'guide', amount: length_seconds }])
  await expect(at(after(length_seconds + 1), finish)).rejects.toThrow('game_over: This exercise was already counted')
})

test('an exercise abandoned for an hour, an overlapping one and another user’s do not count', async () => {
  const [user, other] = [await aUser(api), await aUser(api)]
  const begin = () => api.call(wellness.breathe, { exercise: 'coherent' }, user.token)
  const [first, second] = [await begin(), await begin()]
  const finish = (id: string, token = user.token) =>
    api.call(wellness.finishBreathing, { breathing_id: `breathing_${id}` }, token)
  const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000)
  await expect(at(later(61), () => finish(first.breathing_id))).rejects.toThrow(
    'game_over: This exercise was not finished in time',
  )
  await expect(at(later(3), () => finish(first.breathing_id, other.token))).rejects.toThrow('not_found')
  await at(later(3), () => finish(first.breathing_id))
  await expect(at(later(4), () => finish(second.breathing_id))).rejects.toThrow('Another exercise at the same time')
})

test('a quiz game counts once, and too few right answers close no ring', async () => {
  const user = await aUser(api)
  const record = (amount: number, reference: string) =>
    transaction(api.context.db, (tx) => recordSeen(tx, user.number, { kind: 'quiz', amount, reference }, now))
  const goal = goalOf('challenges')
  expect((await record(goal - 1, 'game-1')).closed).toEqual([])
  expect((await record(goal, 'game-1')).closed).toEqual([])
  expect((await record(goal, 'game-2')).closed).toEqual(['challenges'])
})

test('four closed rings make a perfect day, a streak reaches its milestone, and the points raise the level', async () => {
  const user = await aUser(api)
  const closeRing = () => logSteps(user.token, goalOf('activity', 'steps'))
  for (const offset of [-2, -1]) await at(new Date(start.getTime() + offset * DAY_MS), closeRing)
  const third = await closeRing()
  expect(third.gain).toMatchObject({ milestone_days: 3, points: 40, level_before: 0, level_after: 0 })
  for (const meal of ['breakfast', 'lunch', 'dinner'] as const) await logMeal(user.token, meal)
  await transaction(api.context.db, async (tx) => {
    await recordSeen(tx, user.number, { kind: 'quiz', amount: 25, reference: 'a-game' }, now)
    const gain = await recordSeen(tx, user.number, { kind: 'breathing', amount: 240, reference: 'a-guide' }, now)
    expect(gain).toMatchObject({ closed: ['mindfulness'], perfect_day: true, points: 40, level_after: 1 })
  })
})

test('rest days start next Monday, the last change counts, and three a week are refused', async () => {
  const { token } = await aUser(api)
  await api.call(wellness.rest, { weekdays: [6, 2] }, token)
  const { data } = await api.call(wellness.rest, { weekdays: [5] }, token)
  expect(data.streak).toMatchObject({ rest_weekdays: [], rest_weekdays_next: [5] })
  const nextWeek = await at(new Date('2026-03-09T00:00:00Z'), () => api.call(wellness.today, {}, token))
  expect(nextWeek.data.streak).toMatchObject({ rest_weekdays: [5], rest_weekdays_next: null })
  for (const weekdays of [[0, 1, 2], [1, 1], [7]])
    expect((await api.send('POST', '/wellness/rest/', { weekdays }, { token })).status).toBe(400)
})

const importInto = (token: string, days: { day: string; steps: number; workout_minutes: number }[]) =>
  api.call(
    wellness.import,
    { source: 'apple_health', days: days as { day: Day; steps: number; workout_minutes: number }[] },
    token,
  )

test('an import records its source, adds nothing when repeated, and closes rings of today and yesterday only', async () => {
  const { token } = await aUser(api)
  const today = dayOf(now)
  const days = [0, -1, -2, -30].map((offset) => ({ day: addDays(today, offset), steps: 12_000, workout_minutes: 0 }))
  const first = await importInto(token, days)
  expect(first).toMatchObject({ added: 4, known: 0, gain: { closed: ['activity', 'activity'], points: 40 } })
  expect(await importInto(token, days)).toMatchObject({ added: 0, known: 4, gain: { closed: [] } })
  const history = await api.call(wellness.history, {}, token)
  expect(history.data.map(({ day, steps, rings, sources }) => [day, steps, rings, sources])).toEqual([
    ['2026-03-03', 12_000, 1, ['apple_health']],
    ['2026-03-02', 12_000, 1, ['apple_health']],
    ['2026-03-01', 12_000, 0, ['apple_health']],
    ['2026-02-01', 12_000, 0, ['apple_health']],
  ])
})

test('an imported entry cannot be removed, so the rings it closed keep their cause', async () => {
  const { token } = await aUser(api)
  await importInto(token, [{ day: dayOf(now), steps: 12_000, workout_minutes: 0 }])
  const { data } = await api.call(wellness.today, {}, token)
  const entry_id = `entry_${data.entries[0]?.id}`
  await expect(api.call(wellness.remove, { entry_id }, token)).rejects.toThrow('not_found')
  expect((await api.call(wellness.today, {}, token)).data).toMatchObject({ points: 20, entries: [{ amount: 12_000 }] })
})

test('a batch with one bad day changes nothing', async () => {
  const { token } = await aUser(api)
  const good = { day: dayOf(now), steps: 12_000, workout_minutes: 30 }
  const bad = [
    { ...good, day: addDays(dayOf(now), 1) },
    { ...good, day: addDays(dayOf(now), -IMPORT_DAYS_MAX - 1) },
    { ...good, day: '2026-02-30' },
    { ...good, day: '2026-03-02', steps: 100_001 },
    { ...good, day: '2026-03-02', workout_minutes: 721 },
    { ...good, day: '2026-03-02', steps: 0, workout_minutes: 0 },
    { ...good, day: '2026-03-02', steps: 1.5 },
    good,
  ]
  for (const day of bad) {
    const reply = await api.send('POST', '/wellness/import/', { source: 'gpx', days: [good, day] }, { token })
    expect(reply.status, JSON.stringify(day)).toBe(400)
  }
  expect((await api.call(wellness.history, {}, token)).data).toEqual([])
})

test('the board shows only users who joined it: you, the people you invited and the person who invited you', async () => {
  const inviter = await aUser(api)
  const me = await aUser(api, { referralCode: inviter.referralCode })
  const [friend, shy] = [
    await aUser(api, { referralCode: me.referralCode }),
    await aUser(api, { referralCode: me.referralCode }),
  ]
  const [stranger, grandchild] = [await aUser(api), await aUser(api, { referralCode: friend.referralCode })]
  for (const { token } of [inviter, friend, stranger, grandchild])
    await api.call(wellness.joinFriends, { join: true }, token)
  await logSteps(friend.token, goalOf('activity', 'steps'))
  await logSteps(shy.token, goalOf('activity', 'steps'))
  expect(await api.call(wellness.friends, {}, me.token)).toMatchObject({ joined: false, invited: 2, data: [] })
  await api.call(wellness.joinFriends, { join: true }, me.token)
  const board = await api.call(wellness.friends, {}, me.token)
  expect(board.data[0]).toMatchObject({ rank: 1, username: friend.username, points_week: 20, rings_week: 1 })
  expect(new Set(board.data.map(({ username }) => username))).toEqual(
    new Set([me.username, inviter.username, friend.username]),
  )
  await api.call(wellness.joinFriends, { join: false }, friend.token)
  expect((await api.call(wellness.friends, {}, me.token)).data).toHaveLength(2)
})

test('a completed challenge cannot be changed by the application', async () => {
  const { token, number } = await aUser(api)
  await logSteps(token, goalOf('activity', 'steps'))
  const change = api.context.db
    .updateTable('wellness_completions')
    .set({ day_on: '2026-01-01' as Day })
    .where('user_number', '=', number)
  await expect(change.execute()).rejects.toThrow('permission denied')
})
