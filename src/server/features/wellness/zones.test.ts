import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../../../protocol/time.ts'
import { wellness } from '../../../protocol/wellness.ts'
import { challengesOf, STEPS_DAY_MAX } from '../../../protocol/wellness-day.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
let now = new Date('2026-03-03T11:00:00Z')

beforeAll(async () => {
  api = await createTestApi({ clock: { now: () => now } })
})
afterAll(() => api.close())

const at = (text: string): void => {
  now = new Date(text)
}
const setZone = (token: string, zone: string) => api.call(wellness.zone, { zone }, token)
const today = async (token: string) => (await api.call(wellness.today, {}, token)).data
/** Closes the activity ring of the user's day. */
async function closeRing(token: string) {
  const { day } = await today(token)
  const steps = challengesOf(day)[0]?.goals[0]?.amount ?? 0
  return (await api.call(wellness.log, { kind: 'steps', steps }, token)).gain
}

test('the day follows the zone: its date, its challenges and its end, and days are UTC until one is known', async () => {
  at('2026-03-03T11:00:00Z')
  const { token } = await aUser(api)
  expect(await today(token)).toMatchObject({ day: '2026-03-03', zone: null, ends_at: new Date('2026-03-04T00:00:00Z') })
  const { data } = await setZone(token, 'Pacific/Auckland')
  expect(data).toMatchObject({ day: '2026-03-04', zone: 'Pacific/Auckland', ends_at: new Date('2026-03-04T11:00:00Z') })
  expect(data.rings[0]?.title).toBe(challengesOf(data.day)[0]?.title)
  // Daylight saving begins in New York on March 8, so that day is 23 hours long.
  expect((await setZone(token, 'America/New_York')).data.ends_at).toEqual(new Date('2026-03-04T05:00:00Z'))
  at('2026-03-08T12:00:00Z')
  expect((await today(token)).ends_at).toEqual(new Date('2026-03-09T04:00:00Z'))
})

test('attack: back and forth between zones logs no day twice and reopens none', async () => {
  at('2026-03-03T11:00:00Z')
  const { token } = await aUser(api)
  expect((await closeRing(token)).points).toBe(20)
  await setZone(token, 'Pacific/Kiritimati')
  expect((await closeRing(token)).points).toBe(20)
  for (const zone of ['Etc/GMT+12', 'UTC', 'Pacific/Kiritimati']) {
    expect((await setZone(token, zone)).data.day).toBe('2026-03-04')
    expect((await closeRing(token)).points).toBe(0)
  }
  await expect(api.call(wellness.log, { kind: 'steps', steps: STEPS_DAY_MAX }, token)).rejects.toThrow('limit_reached')
  expect((await today(token)).streak.current).toBe(2)
  // The day that was used early lasts until it is over here too.
  await setZone(token, 'UTC')
  at('2026-03-04T23:59:59Z')
  expect((await today(token)).day).toBe('2026-03-04')
})

test('a journey across the date line skips a day and breaks no streak; a day at home without a ring does', async () => {
  at('2026-03-02T20:00:00Z')
  const { token } = await aUser(api)
  await setZone(token, 'America/Los_Angeles')
  await closeRing(token)
  // Departure on the 2nd in the evening, arrival in Sydney on the 4th.
  at('2026-03-04T09:00:00Z')
  await setZone(token, 'Australia/Sydney')
  expect(await closeRing(token)).toMatchObject({ closed: ['activity'] })
  const { streak } = await today(token)
  expect(streak).toMatchObject({ current: 2 })
  expect(streak.days.slice(-3).map(({ state }) => state)).toEqual(['kept', 'travel', 'kept'])
  at('2026-03-06T09:00:00Z')
  expect((await today(token)).streak.current).toBe(0)
})

test('a day that gets longer to the west stays open', async () => {
  at('2026-03-03T14:00:00Z')
  const { token } = await aUser(api)
  await setZone(token, 'Asia/Tokyo')
  at('2026-03-03T23:00:00Z')
  const { data } = await setZone(token, 'America/New_York')
  expect(data).toMatchObject({ day: '2026-03-03', ends_at: new Date('2026-03-04T05:00:00Z') })
  expect(await closeRing(token)).toMatchObject({ closed: ['activity'] })
})

test('the seventh change in 24 hours is refused, the same zone is none, and names that are no zones get 400', async () => {
  at('2026-03-03T02:00:00Z')
  const { token, number } = await aUser(api)
  const zones = ['Asia/Tokyo', 'Asia/Seoul', 'Asia/Bangkok', 'Asia/Dubai', 'Europe/Berlin', 'Europe/London']
  for (const zone of zones) await setZone(token, zone)
  await expect(setZone(token, 'UTC')).rejects.toThrow('limit_reached: You can change your time zone 6 times')
  expect((await setZone(token, 'europe/london')).data.zone).toBe('Europe/London')
  now = new Date(now.getTime() + DAY_MS)
  expect((await setZone(token, 'UTC')).data.zone).toBe('UTC')
  for (const zone of ['Europe/Atlantis', '+05:30', ''])
    expect(await api.send('POST', '/wellness/zone/', { zone }, { token })).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', field: 'zone' },
    })
  const { rows } = await api.context.pool.query('select zone from wellness_zones where user_number = $1', [number])
  expect(rows).toHaveLength(7)
  const change = (text: string) => api.context.pool.query(`${text} where user_number = ${number}`)
  await expect(change(`update wellness_zones set zone = 'UTC'`)).rejects.toThrow('permission denied')
  await expect(change('delete from wellness_zones')).rejects.toThrow('permission denied')
})

test('concurrent changes run one after another: the same zone becomes one row', async () => {
  at('2026-03-03T02:00:00Z')
  const { token, number } = await aUser(api)
  await Promise.all(Array.from({ length: 8 }, () => setZone(token, 'Asia/Tokyo')))
  await Promise.all(['Asia/Bangkok', 'Asia/Dubai', 'Europe/Berlin'].map((zone) => setZone(token, zone)))
  const { rows } = await api.context.pool.query('select zone from wellness_zones where user_number = $1', [number])
  expect(rows).toHaveLength(4)
})
