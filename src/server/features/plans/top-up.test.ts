import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatUsdt, parseUsdt } from '../../../protocol/money.ts'
import { plans } from '../../../protocol/plans.ts'
import { feePackageType, mainPackageType, splitTopUp } from '../../../protocol/top-up.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import {
  aUserWithPlan,
  balancesOf,
  buyPlan,
  fundPool,
  giveRewards,
  newKey,
  purchaseBody,
  systemBalances,
  type TestUser,
} from '../../testing/plans.ts'
import { sweepOrders } from './jobs.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ checksLockOrder: true })
  await fundPool(api, 'reward_pool', '10000')
})
afterAll(() => api.close())

type Source = 'daily' | 'referral'
const u = parseUsdt
const token = (user: TestUser) => ({ token: user.token })
const buy = (user: TestUser, body: object) => api.send('POST', '/gamebuyplan/', body, token(user))
const callUpline = (user: TestUser, amount: string) =>
  api.send('POST', '/gameupline_referral/', { purchase_amount: amount }, token(user))
const sweep = () => sweepOrders({ db: api.context.db, clock: { now: () => new Date(Date.now() + 14 * 60_000) } })

/** A user with a plan of this size and 200 USDT in each reward balance, and a sponsor with a plan who earns from it. */
async function aTopUpper(planAmount: string) {
  const sponsor = await aUserWithPlan(api, '100')
  const user = await aUserWithPlan(api, planAmount, { referralCode: sponsor.referralCode })
  await giveRewards(api, user.number, 'reward', '200')
  await giveRewards(api, user.number, 'referral', '200')
  return { user, sponsor }
}

/** How much each balance changed while `work` ran. */
async function movedBy(people: { user: TestUser; sponsor: TestUser }, work: () => Promise<unknown>) {
  const look = async () => ({
    user: await balancesOf(api, people.user),
    sponsor: await balancesOf(api, people.sponsor),
    system: await systemBalances(api),
  })
  const before = await look()
  await work()
  const after = await look()
  const moved: Record<string, string> = {}
  for (const side of ['user', 'sponsor', 'system'] as const)
    for (const [kind, amount] of Object.entries(after[side])) {
      const change = amount - (before[side][kind] ?? 0n)
      if (change !== 0n) moved[`${side}.${kind}`] = formatUsdt(change as never)
    }
  return moved
}

const account = { daily: 'reward', referral: 'referral' } as const
const complete = (source: Source, planAmount: string) =>
  planAmount === '20'
    ? { [`user.${account[source]}`]: '-100', 'user.plan': '100', 'sponsor.referral': '5', 'system.reward_pool': '-5' }
    : {
        [`user.${account[source]}`]: '-100',
        'user.plan': '90',
        'system.fees': '10',
        'sponsor.referral': '5',
        'system.reward_pool': '-5',
      }

type Calls = { main: () => Promise<unknown>; upline: () => Promise<unknown>; fee: () => Promise<unknown> }

function callsOf(user: TestUser, source: Source, planAmount: string): Calls {
  const { main, fee } = splitTopUp(u('100'), u(planAmount))
  const body = purchaseBody(api, user, formatUsdt(main), mainPackageType[source])
  const feeBody = purchaseBody(api, user, formatUsdt(fee > 0n ? fee : u('10')), feePackageType[source])
  return { main: () => buy(user, body), upline: () => callUpline(user, '100'), fee: () => buy(user, feeBody) }
}

const m = 'main'
const up = 'upline'
const f = 'fee'
type Step = keyof Calls | (keyof Calls)[]
/** The calls of an inner list are sent concurrently. */
const forms: { name: string; steps: Step[]; ends: 'complete' | 'nothing' }[] = [
  { name: 'in the order of the page', steps: [m, up, f], ends: 'complete' },
  { name: 'fee before upline', steps: [m, f, up], ends: 'complete' },
  { name: 'upline first', steps: [up, m, f], ends: 'complete' },
  { name: 'fee first', steps: [f, m, up], ends: 'complete' },
  { name: 'upline and fee first', steps: [up, f, m], ends: 'complete' },
  { name: 'fee and upline first', steps: [f, up, m], ends: 'complete' },
  { name: 'only the first call', steps: [m], ends: 'complete' },
  { name: 'without the fee', steps: [m, up], ends: 'complete' },
  { name: 'without the upline', steps: [m, f], ends: 'complete' },
  { name: 'only the upline', steps: [up], ends: 'nothing' },
  { name: 'only the fee', steps: [f], ends: 'nothing' },
  { name: 'upline and fee without the first call', steps: [up, f], ends: 'nothing' },
  { name: 'each call twice', steps: [m, m, up, up, f, f], ends: 'complete' },
  { name: 'the whole sequence twice', steps: [m, up, f, m, up, f], ends: 'complete' },
  { name: 'all three at once', steps: [[m, up, f]], ends: 'complete' },
  { name: 'the first call ten times at once', steps: [[m, m, m, m, m, m, m, m, m, m], up, f], ends: 'complete' },
  {
    name: 'the other two calls five times each at once',
    steps: [m, [up, f, up, f, up, f, up, f, up, f]],
    ends: 'complete',
  },
  {
    name: 'all three five times each at once',
    steps: [[m, up, f, m, up, f, m, up, f, m, up, f, m, up, f]],
    ends: 'complete',
  },
]

describe.each<{ source: Source; planAmount: string }>([
  { source: 'daily', planAmount: '20' },
  { source: 'daily', planAmount: '20.000001' },
  { source: 'referral', planAmount: '20' },
  { source: 'referral', planAmount: '20.000001' },
])('a top-up from $source rewards on a plan of $planAmount', ({ source, planAmount }) => {
  test.each(forms)('$name (result: $ends)', async ({ steps, ends }) => {
    const people = await aTopUpper(planAmount)
    const calls = callsOf(people.user, source, planAmount)
    const moved = await movedBy(people, async () => {
      for (const step of steps) await Promise.all([step].flat().map((name) => calls[name]()))
      await sweep()
    })
    expect(moved).toEqual(ends === 'complete' ? complete(source, planAmount) : {})
  })
})

test('between the calls the fee is on hold, and each call completes its part', async () => {
  const people = await aTopUpper('20.000001')
  const calls = callsOf(people.user, 'daily', '20.000001')
  expect(await movedBy(people, calls.main)).toEqual({ 'user.reward': '-100', 'user.plan': '90', 'user.hold': '10' })
  expect(await movedBy(people, calls.upline)).toEqual({ 'sponsor.referral': '5', 'system.reward_pool': '-5' })
  expect(await movedBy(people, calls.fee)).toEqual({ 'user.hold': '-10', 'system.fees': '10' })
})

test('a thousand calls to the upline route alone move nothing', async () => {
  const people = await aTopUpper('20.000001')
  const moved = await movedBy(people, async () => {
    for (let batch = 0; batch < 20; batch++)
      await Promise.all(Array.from({ length: 50 }, (_, at) => callUpline(people.user, String(10 + at))))
  })
  expect(moved).toEqual({})
})

test('the sweep skips recent orders, because the client may still complete them', async () => {
  const people = await aTopUpper('20.000001')
  await callsOf(people.user, 'daily', '20.000001').main()
  expect(await movedBy(people, () => sweepOrders(api.context))).toEqual({})
})

test('an amount that differs from the order gets 409, and without an order it gets 404', async () => {
  const { user } = await aTopUpper('20.000001')
  const fee = (amount: string) => buy(user, purchaseBody(api, user, amount, 7))
  expect(await callUpline(user, '33')).toMatchObject({ status: 404, body: { code: 'unknown_order' } })
  expect(await fee('3')).toMatchObject({ status: 404, body: { code: 'unknown_order' } })
  await buy(user, purchaseBody(api, user, '90', 5))
  expect(await callUpline(user, '90')).toMatchObject({ status: 409, body: { code: 'amount_mismatch' } })
  expect(await fee('9')).toMatchObject({ status: 409, body: { code: 'amount_mismatch' } })
  expect(await fee('10')).toMatchObject({ status: 200 })
  expect(await callUpline(user, '100')).toMatchObject({ status: 200 })
})

test.each([
  [5, 8, 7],
  [6, 7, 8],
])('after a top-up of type %i, a fee call of type %i gets 409 and settles nothing', async (main, wrong, right) => {
  const { user } = await aTopUpper('50')
  const fee = (amount: string, type: number) => buy(user, purchaseBody(api, user, amount, type))
  const refused = { status: 409, body: { code: 'source_mismatch', field: 'package_type' } }
  await buy(user, purchaseBody(api, user, '90', main))
  expect(await fee('10', wrong)).toMatchObject(refused)
  expect(await fee('3', wrong)).toMatchObject(refused)
  expect((await balancesOf(api, user))['hold']).toBe(u('10'))
  expect(await fee('10', right)).toMatchObject({ status: 200 })
  expect(await fee('10', wrong)).toMatchObject(refused)
  expect(await fee('10', right)).toMatchObject({ status: 200 })
})

test('an empty amount is refused first, with the text of the spec', async () => {
  const { user } = await aTopUpper('20')
  const { usdt_amount, ...others } = purchaseBody(api, user, '10', 5)
  for (const body of [others, { ...others, usdt_amount: '' }, { ...others, usdt_amount: null, package_type: 9 }])
    expect(await buy(user, body)).toMatchObject({
      status: 400,
      body: { code: 'amount_format', Msg: 'Please enter an amount', field: 'usdt_amount' },
    })
})

test('the hash is the idempotency key: the same body gets the same reply, another body is refused', async () => {
  const { user } = await aTopUpper('20')
  const body = purchaseBody(api, user, '50', 5)
  const first = await buy(user, body)
  expect(first).toMatchObject({ status: 200, body: { status: 'success' } })
  expect(await buy(user, body)).toEqual(first)
  expect(await buy(user, { ...body, usdt_amount: '51' })).toMatchObject({
    status: 409,
    body: { code: 'idempotency_mismatch' },
  })
  const other = await aTopUpper('20')
  expect(await buy(other.user, purchaseBody(api, other.user, '50', 5, body.trans_hash))).toMatchObject({ status: 200 })
})

test('the Idempotency-Key header works in addition to the hash', async () => {
  const { user } = await aTopUpper('20')
  const headers = { ...token(user), 'idempotency-key': newKey() }
  const send = (body: object) => api.send('POST', '/gamebuyplan/', body, headers)
  const body = purchaseBody(api, user, '50', 5)
  const first = await send(body)
  expect(await send(body)).toEqual(first)
  expect(await send({ ...body, trans_hash: newKey() })).toMatchObject({ status: 409 })
  const retried = await api.send('POST', '/gamebuyplan/', body, { ...token(user), 'idempotency-key': newKey() })
  expect(retried).toEqual(first)
  expect((await balancesOf(api, user))['reward']).toBe(u('150'))
})

test('a gross amount that does not match the amount sent is a conflict', async () => {
  const { user } = await aTopUpper('20.000001')
  const body = purchaseBody(api, user, '90', 5)
  const attempt = (gross_amount: string) => buy(user, { ...body, gross_amount })
  expect(await attempt('99')).toMatchObject({ status: 409, body: { code: 'amount_mismatch' } })
  expect(await attempt('90')).toMatchObject({ status: 409, body: { code: 'amount_mismatch' } })
  // 90% of 99.999999 and of 100 round to the same amount, so both are valid gross amounts.
  expect(await attempt('99.999999')).toMatchObject({ status: 200 })
  expect((await balancesOf(api, user))['reward']).toBe(u('100.000001'))
  expect((await balancesOf(api, user))['hold']).toBe(u('9.999999'))
})

test('the server checks the whole amount and refuses with the texts of the spec', async () => {
  const { user } = await aTopUpper('4950')
  const messageOf = async (amount: string, type: number) =>
    (await buy(user, purchaseBody(api, user, amount, type))).body.Msg
  expect(await messageOf('360.000001', 5)).toBe('You cannot withdraw more than your total available balance.')
  expect(await messageOf('45.000001', 5)).toBe('Maximum investment You can 50 USDT')
  expect(await messageOf('8.999999', 6)).toBe('Minimum  amount is 10 USDT')
  const poor = await aUserWithPlan(api, '50')
  await giveRewards(api, poor.number, 'reward', '30')
  await giveRewards(api, poor.number, 'referral', '30')
  const poorMessage = async (amount: string, type: number) =>
    (await buy(poor, purchaseBody(api, poor, amount, type))).body.Msg
  expect(await poorMessage('27.000001', 5)).toBe('Insufficient balance in Daily Rewards wallet')
  expect(await poorMessage('27.000001', 6)).toBe('Insufficient balance in Referral Rewards wallet')
  expect(await poorMessage('27', 6)).toBe('Your plan grew by 27 USDT')
})

test('fifty concurrent top-ups spend a balance only once', async () => {
  const { user } = await aTopUpper('20')
  const replies = await Promise.all(Array.from({ length: 50 }, () => buy(user, purchaseBody(api, user, '150', 5))))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await balancesOf(api, user))['reward']).toBe(u('50'))
})

test('principal never exceeds the cap, even with concurrent top-ups and purchases', async () => {
  const { user } = await aTopUpper('4800')
  await giveRewards(api, user.number, 'reward', '400')
  await Promise.all([
    ...Array.from({ length: 6 }, () => buy(user, purchaseBody(api, user, '90', 5))),
    ...Array.from({ length: 3 }, () => buyPlan(api, user, '100').catch(() => undefined)),
  ])
  const { plan } = await balancesOf(api, user)
  expect(plan).toBeLessThanOrEqual(u('5000'))
  expect(plan).toBeGreaterThan(u('4900'))
})

test('a new lot gets the tier of the whole plan amount, and the history lists its parts', async () => {
  const { user } = await aTopUpper('450')
  await buy(user, purchaseBody(api, user, '90', 6))
  const lots = await api.context.db.selectFrom('plan_lots').selectAll().where('user_number', '=', user.number).execute()
  expect(lots.map(({ tier, amount, daily_rate_ppm }) => [tier, amount, daily_rate_ppm])).toEqual([
    ['Active', u('450'), 1_500],
    ['Strong', u('90'), 2_000],
  ])
  const { data, total } = await api.call(plans.history, { pageno: 1 }, user.token)
  expect(data.map(({ Plan_name, Plan_Amount }) => [Plan_name, formatUsdt(Plan_Amount)])).toEqual([
    ['Referral Re Top Up Fee', '10'],
    ['Referral Re Top Up', '90'],
    ['USDT Active', '450'],
  ])
  expect(total).toBe(3)
})

test('five levels earn 5, 3, 2, 1 and 1 percent; level six and users without a plan earn nothing', async () => {
  const line: TestUser[] = []
  for (let depth = 0; depth < 8; depth++) {
    const above = line.at(-1)
    const options = above ? { referralCode: above.referralCode } : {}
    line.push(depth === 3 ? await aUser(api, options) : await aUserWithPlan(api, '50', options))
  }
  const before = await Promise.all(line.map(async (user) => (await balancesOf(api, user))['referral'] ?? 0n))
  await buyPlan(api, line[7] as TestUser, '1000')
  const after = await Promise.all(line.map(async (user) => (await balancesOf(api, user))['referral'] ?? 0n))
  const earned = after.map((amount, at) => formatUsdt((amount - (before[at] ?? 0n)) as never))
  // From the root to the buyer: level 7, 6, 5, 4 (no plan), 3, 2, 1.
  expect(earned).toEqual(['0', '0', '10', '0', '20', '30', '50', '0'])
})
