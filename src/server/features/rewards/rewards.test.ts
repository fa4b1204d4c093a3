import { afterEach, beforeEach, expect, test } from 'vitest'
import { balance } from '../../../protocol/balance.ts'
import { formatUsdt, parseUsdt } from '../../../protocol/money.ts'
import { rewards } from '../../../protocol/rewards.ts'
import { runAudit } from '../../ledger/audit.ts'
import { transaction } from '../../platform/db.ts'
import { createTestApi, type TestApi } from '../../testing/api.ts'
import { newsOf } from '../../testing/news.ts'
import { freezeUser, unfreezeUser } from '../../testing/ops.ts'
import {
  aUserWithPlan,
  balancesOf,
  buyPlan,
  createTestClock,
  fundPool,
  purchaseBody,
  type TestUser,
} from '../../testing/plans.ts'
import { planInvariants } from '../plans/invariants.ts'
import { payDeferredUplines } from '../plans/upline.ts'
import { payDeferred } from './deferred.ts'
import { releaseHealth } from './health.ts'
import { rewardInvariants } from './invariants.ts'
import { matureLots } from './maturity.ts'
import { runDailyRewards } from './run.ts'

const u = parseUsdt
const wire = (user: TestUser) => ({ user_id: `user_${user.id}` })
const clock = createTestClock('2030-05-10T12:00:00Z')
let api: TestApi

beforeEach(async () => {
  clock.set('2030-05-10T12:00:00Z')
  api = await createTestApi({ clock, checksLockOrder: true })
  await fundPool(api, 'reward_pool', '10000')
  await fundPool(api, 'health_pool', '1000')
})
afterEach(async () => {
  const report = await runAudit(api.context.db, [...planInvariants, ...rewardInvariants])
  await api.close()
  expect(report.invariants.flatMap(({ findings }) => findings)).toEqual([])
})

const claim = (user: TestUser) => api.call(rewards.claim, wire(user), user.token)

test('a lot earns its rate for every day after the day it started, and 5% more for health', async () => {
  const user = await aUserWithPlan(api, '500')
  expect(await claim(user)).toMatchObject({ paid: 0n, health_paid: 0n, deferred: 0n })
  clock.set('2030-05-10T23:59:59Z')
  expect(await claim(user)).toMatchObject({ paid: 0n })
  clock.set('2030-05-11T00:00:00Z')
  expect(await claim(user)).toMatchObject({ paid: u('1'), health_paid: u('0.05'), Msg: 'Your plans earned 1 USDT' })
  expect(await claim(user)).toMatchObject({
    paid: 0n,
    Msg: 'Nothing is due yet. Your next reward comes after midnight UTC.',
  })
  clock.addDays(3)
  expect(await claim(user)).toMatchObject({ paid: u('3') })
  expect(await balancesOf(api, user)).toMatchObject({ plan: u('500'), reward: u('4'), health: u('0.2') })
})

test('fifty tabs around midnight pay each lot once', async () => {
  const user = await aUserWithPlan(api, '500')
  await buyPlan(api, user, '100')
  clock.set('2030-05-10T23:59:59.990Z')
  const before = Array.from({ length: 25 }, () => claim(user))
  clock.set('2030-05-11T00:00:00.010Z')
  const after = Array.from({ length: 25 }, () => claim(user))
  const paid = (await Promise.all([...before, ...after])).map((reply) => reply.paid)
  expect(paid.filter((amount) => amount > 0n)).toEqual([u('1.15')])
  expect((await balancesOf(api, user))['reward']).toBe(u('1.15'))
})

test("another user's id is forbidden", async () => {
  const [user, other] = [await aUserWithPlan(api, '10'), await aUserWithPlan(api, '10')]
  clock.addDays(1)
  const reply = await api.send('POST', '/process_rewards/', wire(other), { token: user.token })
  expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden', field: 'user_id' } })
  expect((await balancesOf(api, other))['reward']).toBe(0n)
})

test('the nightly run and claims on the same day pay each lot once, in any order', async () => {
  const people: TestUser[] = []
  for (let at = 0; at < 6; at++) people.push(await aUserWithPlan(api, '1000'))
  clock.addDays(1)
  const [first] = people
  await claim(first as TestUser)
  await Promise.all([
    runDailyRewards(api.context, { chunkUsers: 3 }),
    runDailyRewards(api.context, { chunkUsers: 3 }),
    ...people.map(claim),
  ])
  for (const user of people) expect((await balancesOf(api, user))['reward']).toBe(u('2'))
  expect(await runDailyRewards(api.context, { chunkUsers: 3 })).toMatchObject({ chunks: 0, paid: 0n })
})

test('a run catches up on missed days', async () => {
  const user = await aUserWithPlan(api, '1000')
  clock.addDays(1)
  await runDailyRewards(api.context)
  clock.addDays(4)
  expect(await runDailyRewards(api.context)).toMatchObject({ chunks: 4, paid: u('8') })
  expect((await balancesOf(api, user))['reward']).toBe(u('10'))
})

test('rewards that the pool cannot cover are deferred, and paid when the pool is funded', async () => {
  const poor = await createTestApi({ clock })
  await fundPool(poor, 'reward_pool', '1.5')
  const [first, second] = [await aUserWithPlan(poor, '500'), await aUserWithPlan(poor, '500')]
  clock.addDays(1)
  expect(await runDailyRewards(poor.context)).toMatchObject({ paid: u('1'), deferred: u('1') })
  expect(await balancesOf(poor, first)).toMatchObject({ reward: u('1'), health: 0n })
  expect(await balancesOf(poor, second)).toMatchObject({ reward: 0n, health: 0n })
  const { data } = await poor.call(balance.details, {}, second.token)
  expect(data.deferred).toEqual({ reward: u('1'), health: u('0.05'), referral: 0n })
  const earnings = await poor.call(rewards.earnings, {}, second.token)
  expect(earnings.data).toMatchObject([{ amount: u('1'), state: 'deferred', health_state: 'deferred' }])

  clock.addDays(1)
  const reply = await poor.call(rewards.claim, wire(second), second.token)
  expect(reply).toMatchObject({
    paid: 0n,
    deferred: u('1'),
    Msg: 'You earned 1 USDT. It is paid as soon as the reward pool is funded.',
  })

  await fundPool(poor, 'reward_pool', '1')
  await payDeferred(poor.context.db)
  expect(await balancesOf(poor, second)).toMatchObject({ reward: u('1') })
  await fundPool(poor, 'reward_pool', '100')
  await fundPool(poor, 'health_pool', '100')
  await Promise.all([payDeferred(poor.context.db), payDeferred(poor.context.db)])
  expect(await balancesOf(poor, second)).toMatchObject({ reward: u('2'), health: u('0.1') })
  expect((await poor.call(balance.details, {}, second.token)).data.deferred).toEqual({
    reward: 0n,
    health: 0n,
    referral: 0n,
  })
  expect((await runAudit(poor.context.db, rewardInvariants)).passed).toBe(true)
  await poor.close()
})

test('an upline reward is also deferred until the pool is funded', async () => {
  const poor = await createTestApi({ clock })
  const sponsor = await aUserWithPlan(poor, '100')
  await aUserWithPlan(poor, '100', { referralCode: sponsor.referralCode })
  expect((await balancesOf(poor, sponsor))['referral']).toBe(0n)
  const waiting = await poor.call(rewards.referrals, {}, sponsor.token)
  expect(waiting).toMatchObject({
    total: 1,
    data: [
      {
        kind: 'upline',
        amount: u('5'),
        state: 'deferred',
        rewards: 1,
        level: 1,
        percent: '5',
      },
    ],
  })
  await fundPool(poor, 'reward_pool', '5')
  await payDeferredUplines(poor.context.db)
  await payDeferredUplines(poor.context.db)
  expect((await balancesOf(poor, sponsor))['referral']).toBe(u('5'))
  expect(await poor.call(rewards.referrals, {}, sponsor.token)).toMatchObject({ total: 1, data: [{ state: 'paid' }] })
  expect((await runAudit(poor.context.db, planInvariants)).passed).toBe(true)
  await poor.close()
})

test('a matured lot returns its principal once, after its last reward', async () => {
  const sponsor = await aUserWithPlan(api, '2000')
  const user = await aUserWithPlan(api, '100', { referralCode: sponsor.referralCode })
  clock.addDays(89)
  expect(await matureLots(api.context)).toBe(0)
  clock.addDays(1)
  await Promise.all([matureLots(api.context), matureLots(api.context)])
  expect(await balancesOf(api, user)).toMatchObject({ plan: 0n, wallet: u('100'), reward: u('13.5') })
  expect(await newsOf(api.context.db, user)).toEqual(['plan_matured'])
  clock.addDays(5)
  await runDailyRewards(api.context)
  expect(await claim(user)).toMatchObject({ paid: 0n })
  expect((await balancesOf(api, user))['reward']).toBe(u('13.5'))
  const { data } = await api.call(balance.details, {}, user.token)
  expect(data).toMatchObject({ planamount: 0n, lots: [], wallet: u('100'), TWA: u('113.5') })
})

test('a frozen user keeps earning, but can neither claim nor move the money until unfrozen', async () => {
  const user = await aUserWithPlan(api, '500')
  await freezeUser(api, user.number)
  clock.addDays(1)
  await runDailyRewards(api.context)
  expect(await balancesOf(api, user)).toMatchObject({ reward: u('1'), health: u('0.05') })
  clock.addDays(1)
  const calls = [
    ['/process_rewards/', wire(user)],
    ['/release_royalty/', { force_check: true }],
    ['/healthroi/', { withdraw_amount: '1' }],
    ['/gamebuyplan/', purchaseBody(api, user, '10', 5)],
    ['/internal_transfer/', { to_user: user.username, amount: '1', source: 'daily' }],
  ] as const
  for (const [path, body] of calls)
    expect(await api.send('POST', path, body, { token: user.token })).toMatchObject({
      status: 403,
      body: { code: 'user_frozen' },
    })
  await unfreezeUser(api, user.number)
  expect(await claim(user)).toMatchObject({ paid: u('1') })
})

test('the history of daily rewards lists every day, newest first', async () => {
  const user = await aUserWithPlan(api, '500')
  clock.addDays(60)
  await claim(user)
  const first = await api.call(rewards.earnings, {}, user.token)
  expect(first).toMatchObject({ total: 60, page_no: 1, page_size: 50 })
  expect(first.data[0]).toMatchObject({
    earned_on: '2030-07-09',
    plan_name: 'USDT Strong',
    amount: u('1'),
    state: 'paid',
  })
  const second = await api.call(rewards.earnings, { page_no: 2 }, user.token)
  expect(second.data).toHaveLength(10)
  expect(second.data.at(-1)).toMatchObject({ earned_on: '2030-05-11' })
})

test('health money is released to users who completed enough challenges', async () => {
  const user = await aUserWithPlan(api, '5000')
  clock.addDays(2)
  await claim(user)
  const release = (amount: string, challenges: number) =>
    transaction(api.context.db, (tx) => releaseHealth(tx, { userNumber: user.number, amount: u(amount), challenges }))
  await expect(release('1', 9)).rejects.toThrow(
    'Complete 1 more challenge to release your health balance. You need 10 in 30 days.',
  )
  await expect(release('0.999999', 10)).rejects.toThrow('The smallest release is 1 USDT')
  await expect(release('1.250001', 10)).rejects.toThrow('Insufficient health balance')
  await release('1.25', 10)
  expect(await balancesOf(api, user)).toMatchObject({ health: 0n, wallet: u('1.25') })
})

test('the details have the fields of the specification', async () => {
  const user = await aUserWithPlan(api, '500')
  clock.addDays(1)
  await claim(user)
  const { body } = await api.send('POST', '/detail/', {}, { token: user.token })
  expect(body['data']).toMatchObject({
    planreward: '1',
    planreff: '0',
    planamount: '500',
    max_amount: '5000',
    minimumamount: '10',
    withdrawfee: 5,
    wallet_address: user.wallet_address,
    support: api.context.config.chain.vault,
    TWA: '1',
    BWA: '1',
    wallet: '0',
    health: '0.05',
    lots: [
      {
        plan_name: 'USDT Strong',
        amount: '500',
        daily_reward: '1',
        started_on: '2030-05-10',
        matures_on: '2030-09-07',
      },
    ],
    pending: [],
  })
  const { data } = await api.call(balance.timeline, { days: 7 }, user.token)
  expect(data.map(({ earned }) => formatUsdt(earned))).toHaveLength(7)
})

test('a statement lists each movement with the balance after it, and so does its CSV file', async () => {
  const user = await aUserWithPlan(api, '500')
  for (let day = 0; day < 3; day++) {
    clock.addDays(1)
    await claim(user)
  }
  const { data, total } = await api.call(balance.statement, { account: 'reward' }, user.token)
  expect(data.map((row) => [row.kind, formatUsdt(row.amount), formatUsdt(row.balance_after)])).toEqual([
    ['daily_reward', '1', '3'],
    ['daily_reward', '1', '2'],
    ['daily_reward', '1', '1'],
  ])
  expect(total).toBe(3)
  const { csv, file_name } = await api.call(balance.statementCsv, { account: 'reward' }, user.token)
  expect(file_name).toBe('reward-statement.csv')
  expect(csv.trim().split('\r\n')).toHaveLength(4)
  const wrong = await api.send('POST', '/statement/', { account: 'reward', kind: 'theft' }, { token: user.token })
  expect(wrong).toMatchObject({ status: 400, body: { field: 'kind' } })
})
