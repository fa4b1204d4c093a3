import { afterAll, beforeAll, expect, test } from 'vitest'
import { balance } from '../../../protocol/balance.ts'
import { formatUsdt } from '../../../protocol/money.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { runAsOwner } from '../../testing/database.ts'
import { buyPlan, createTestClock, giveRewards, giveWallet, type TestUser } from '../../testing/plans.ts'

const clock = createTestClock('2050-03-10T12:00:00Z')
let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ clock })
})
afterAll(() => api.close())

/** Entries get the database's time. Moves those not moved yet to this day of the test's clock. */
const dateEntries = ({ number }: TestUser, day: string) =>
  runAsOwner(
    api.database.ownerUrl,
    `set session_replication_role = replica;
     update ledger_entries set posted_at = '${day}T09:00:00Z' where account_id / 16 = ${number} and posted_at < '2050-01-01'`,
  )

async function timelineOf(user: TestUser, days: number) {
  const { data } = await api.call(balance.timeline, { days }, user.token)
  return data.map(({ total, earned }) => [formatUsdt(total), formatUsdt(earned)])
}

test('each day of the timeline shows the balance that the ledger had at the end of that day', async () => {
  const user = await aUser(api)
  await giveWallet(api, user.number, '10')
  await dateEntries(user, '2050-03-05')
  await giveWallet(api, user.number, '100')
  await dateEntries(user, '2050-03-08')
  await giveRewards(api, user.number, 'reward', '1.5')
  await buyPlan(api, user, '50')
  await dateEntries(user, '2050-03-10')
  const before = [
    ['10', '0'],
    ['110', '0'],
    ['110', '0'],
  ]
  expect(await timelineOf(user, 4)).toEqual([...before, ['161.5', '1.5']])
  clock.set('2050-03-09T23:59:59Z')
  expect(await timelineOf(user, 3)).toEqual(before)
})

test('a short timeline of a long history starts with the right balance, also if entries near midnight are out of order', async () => {
  const user = await aUser(api)
  const hours = Array.from({ length: 40 }, (_, entry) => entry * 6 - (entry % 3 === 1 ? 8 : 0))
  for (const _ of hours) await giveRewards(api, user.number, 'reward', '1')
  await runAsOwner(
    api.database.ownerUrl,
    `set session_replication_role = replica;
     update ledger_entries set posted_at = '2050-04-01T00:30:00Z'::timestamptz + hour * interval '1 hour'
     from unnest(array[${hours}]) with ordinality as moved (hour, place)
     where account_id / 16 = ${user.number} and version = place`,
  )
  clock.set('2050-04-12T12:00:00Z')
  // Day 1 is 1 April. An entry counts for the latest day that it or an earlier entry has.
  const dayOf = (entry: number) =>
    Math.max(...hours.slice(0, entry + 1).map((hour) => 1 + Math.floor((hour + 0.5) / 24)))
  const upTo = (day: number) => hours.filter((_, entry) => dayOf(entry) <= day).length
  for (const days of [2, 3, 5, 6, 9, 11]) {
    const expected = Array.from({ length: days }, (_, at) => 12 - days + 1 + at).map((day) => [
      String(upTo(day)),
      String(upTo(day) - upTo(day - 1)),
    ])
    expect(await timelineOf(user, days)).toEqual(expected)
  }
})
