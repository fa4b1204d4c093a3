import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseUsdt } from '../../../protocol/money.ts'
import type { Day } from '../../../protocol/time.ts'
import { transaction } from '../../platform/db.ts'
import { createTestApi, type TestApi } from '../../testing/api.ts'
import {
  aUserWithPlan,
  balancesOf,
  createTestClock,
  fundPool,
  systemBalances,
  type TestUser,
} from '../../testing/plans.ts'
import { matureLots } from './maturity.ts'
import { closeMonth } from './royalty.ts'

const clock = createTestClock('2030-05-10T12:00:00Z')
let api: TestApi

beforeEach(async () => {
  clock.set('2030-05-10T12:00:00Z')
  api = await createTestApi({ clock })
  await fundPool(api, 'reward_pool', '10000')
  await fundPool(api, 'royalty_pool', '300')
})
afterEach(() => api.close())

const release = (user: TestUser) => api.send('POST', '/release_royalty/', { force_check: true }, { token: user.token })
const closeMay = () => transaction(api.context.db, (tx) => closeMonth(tx, '2030-05-01' as Day))

test('royalty for a closed month is shared by rank and paid once', async () => {
  const [gold, bronze] = [await aUserWithPlan(api, '10'), await aUserWithPlan(api, '10')]
  for (let at = 0; at < 21; at++) await aUserWithPlan(api, '5000', { referralCode: gold.referralCode })
  await aUserWithPlan(api, '5000', { referralCode: bronze.referralCode })
  const outsider = await aUserWithPlan(api, '10')
  clock.set('2030-06-01T00:10:00Z')
  await Promise.all([closeMay(), closeMay()])
  expect(await release(outsider)).toMatchObject({ status: 400, body: { code: 'not_eligible' } })
  expect(await release(gold)).toMatchObject({ status: 200, body: { rank: 'Gold', amount: '240', paid_now: true } })
  expect(await release(gold)).toMatchObject({ status: 200, body: { amount: '240', paid_now: false } })
  await Promise.all(Array.from({ length: 10 }, () => release(bronze)))
  expect((await balancesOf(api, bronze))['referral']).toBe(parseUsdt('310'))
  expect((await systemBalances(api))['royalty_pool']).toBe(0n)
})

test('a royalty follows the plans at the end of the month: neither later purchases nor a late closing change it', async () => {
  clock.set('2030-03-03T12:00:00Z')
  const sponsor = await aUserWithPlan(api, '10')
  const invite = (amount: string) => aUserWithPlan(api, amount, { referralCode: sponsor.referralCode })
  await invite('100')
  clock.set('2030-05-31T23:59:59Z')
  await invite('4900')
  clock.set('2030-06-01T00:00:01Z')
  for (let at = 0; at < 4; at++) await invite('5000')
  expect(await release(sponsor)).toMatchObject({
    status: 400,
    body: {
      code: 'not_eligible',
      Msg: 'The royalty of 2030-05 is computed shortly after the month ends. Try again in a few minutes.',
    },
  })
  clock.set('2030-06-20T00:00:00Z')
  await matureLots(api.context)
  await closeMay()
  expect(await release(sponsor)).toMatchObject({ status: 200, body: { rank: 'Bronze', amount: '300' } })
})
