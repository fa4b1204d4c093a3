import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseUsdt } from '../../../protocol/money.ts'
import { rewards } from '../../../protocol/rewards.ts'
import { systemAccount } from '../../ledger/accounts.ts'
import { transaction } from '../../platform/db.ts'
import { createTestApi, type TestApi } from '../../testing/api.ts'
import { runAsOwner } from '../../testing/database.ts'
import {
  aUserWithPlan,
  balancesOf,
  createTestClock,
  fundPool,
  systemBalances,
  type TestUser,
} from '../../testing/plans.ts'
import { foldTeamDeltas } from '../referrals/totals.ts'
import { matureLots } from './maturity.ts'
import { closeDueMonths } from './royalty.ts'

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
const summaryOf = (user: TestUser) => api.call(rewards.royaltySummary, {}, user.token)
const close = () => closeDueMonths(api.context)

test('royalty for a closed month is shared by rank and paid once', async () => {
  const [gold, bronze] = [await aUserWithPlan(api, '10'), await aUserWithPlan(api, '10')]
  for (let at = 0; at < 21; at++) await aUserWithPlan(api, '5000', { referralCode: gold.referralCode })
  await aUserWithPlan(api, '5000', { referralCode: bronze.referralCode })
  const outsider = await aUserWithPlan(api, '10')
  clock.set('2030-06-01T00:10:00Z')
  await Promise.all([close(), close()])
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
  await close()
  expect(await release(sponsor)).toMatchObject({ status: 200, body: { rank: 'Bronze', amount: '300' } })
})

/** Moves the pool's entries from the real time to the time of the test's clock. Entries moved before stay. */
const dateEntries = () =>
  runAsOwner(
    api.database.ownerUrl,
    `set session_replication_role = replica;
     update ledger_entries set posted_at = '${clock.now().toISOString()}'
     where account_id = ${systemAccount('royalty_pool')} and posted_at <= now()`,
  )

test('months that no worker closed are closed in order later, and each can still be claimed', async () => {
  await dateEntries()
  const sponsor = await aUserWithPlan(api, '10')
  await aUserWithPlan(api, '5000', { referralCode: sponsor.referralCode })
  clock.set('2030-06-20T12:00:00Z')
  await fundPool(api, 'royalty_pool', '40')
  await dateEntries()
  clock.set('2030-07-02T12:00:00Z')
  await fundPool(api, 'royalty_pool', '7')
  await dateEntries()
  await close()
  const claims = [
    { month: '2030-06-01', amount: parseUsdt('40'), state: 'open', claimable_until: '2030-07-31' },
    { month: '2030-05-01', amount: parseUsdt('300'), state: 'open', claimable_until: '2030-07-31' },
  ]
  expect(await summaryOf(sponsor)).toMatchObject({
    estimate: { budget: parseUsdt('7') },
    last_closed: '2030-06-01',
    shares: claims,
  })
  const replies = [await release(sponsor), await release(sponsor), await release(sponsor)]
  expect(replies.map(({ body }) => body)).toMatchObject([
    { month: '2030-05-01', amount: '300', paid_now: true },
    { month: '2030-06-01', amount: '40', paid_now: true },
    { month: '2030-06-01', amount: '40', paid_now: false },
  ])
  expect((await systemBalances(api))['royalty_pool']).toBe(parseUsdt('7'))
})

test('a claim that began in the last second of its month and was paid after midnight is not part of the next budget', async () => {
  await dateEntries()
  const sponsor = await aUserWithPlan(api, '10')
  await aUserWithPlan(api, '5000', { referralCode: sponsor.referralCode })
  clock.set('2030-06-01T00:10:00Z')
  await close()
  clock.set('2030-06-30T23:59:59Z')
  await release(sponsor)
  clock.set('2030-07-01T00:00:01Z')
  await dateEntries()
  await fundPool(api, 'royalty_pool', '5')
  await dateEntries()
  await close()
  expect((await summaryOf(sponsor)).shares[0]).toMatchObject({ month: '2030-06-01', amount: 0n, state: 'empty' })
  expect(await release(sponsor)).toMatchObject({ status: 400, body: { code: 'nothing_to_pay' } })
})

test('the summary estimates this month from today’s teams and pool, and a share not claimed in time goes back', async () => {
  const [silver, bronze] = [await aUserWithPlan(api, '10'), await aUserWithPlan(api, '10')]
  expect(await summaryOf(silver)).toMatchObject({
    estimate: { month: '2030-05-01', rank: null, amount: 0n, budget: parseUsdt('300'), weight: 0, weight_total: 0 },
    last_month: '2030-04-01',
    last_closed: null,
    shares: [],
  })
  for (let at = 0; at < 4; at++) await aUserWithPlan(api, '5000', { referralCode: silver.referralCode })
  await aUserWithPlan(api, '5000', { referralCode: bronze.referralCode })
  await transaction(api.context.db, foldTeamDeltas)
  const estimate = { rank: 'Silver', amount: parseUsdt('200'), weight: 2, weight_total: 3 }
  expect((await summaryOf(silver)).estimate).toMatchObject(estimate)
  clock.set('2030-06-01T00:10:00Z')
  await close()
  await release(silver)
  expect((await summaryOf(bronze)).estimate).toMatchObject({ month: '2030-06-01', budget: 0n, amount: 0n })
  expect((await summaryOf(bronze)).shares).toMatchObject([{ amount: parseUsdt('100'), state: 'open', paid_at: null }])
  clock.set('2030-07-01T00:10:00Z')
  expect((await summaryOf(bronze)).estimate).toMatchObject({ budget: parseUsdt('100') })
  expect((await summaryOf(bronze)).shares).toMatchObject([{ state: 'expired' }])
  expect((await summaryOf(silver)).shares).toMatchObject([{ state: 'paid', paid_at: expect.any(Date) }])
})
