import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { balance } from '../../../protocol/balance.ts'
import { micro, parseUsdt, smaller, subtract, type Usdt, ZERO } from '../../../protocol/money.ts'
import { plans } from '../../../protocol/plans.ts'
import { defaultTerms } from '../../../protocol/terms-defaults.ts'
import { withdrawals } from '../../../protocol/withdrawals.ts'
import { type AccountId, systemAccount, userAccount } from '../../ledger/accounts.ts'
import { post } from '../../ledger/post.ts'
import type { PostingKind } from '../../ledger/rules.ts'
import { newId, transaction } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { createOwnerPool, runAsOwner } from '../../testing/database.ts'
import { signTransfer, transfer, withdraw } from '../../testing/payments.ts'
import { aUserWithPlan, balancesOf, fundPool, giveRewards, purchaseBody, type TestUser } from '../../testing/plans.ts'
import { changeTerms } from '../../testing/terms.ts'
import { readMaturity } from './maturity.ts'

let api: TestApi
const u = parseUsdt
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.close())

/** Makes everything in the user's referral balance old enough to leave. */
const ageRewards = (userNumber: number) =>
  runAsOwner(
    api.database.ownerUrl,
    `set session_replication_role = replica;
     update ledger_entries set posted_at = posted_at - interval '8 days'
     where account_id = ${userAccount(userNumber, 'referral')}`,
  )

/** 50 USDT that matured and 30 USDT earned today. */
async function anEarner(): Promise<TestUser> {
  const user = await aUserWithPlan(api, '10')
  await giveRewards(api, user.number, 'referral', '50')
  await ageRewards(user.number)
  await giveRewards(api, user.number, 'referral', '30')
  return user
}

test('new referral rewards can be neither withdrawn nor sent, and the pages say when they can', async () => {
  const [user, friend] = [await anEarner(), await aUser(api)]
  const { data } = await api.call(balance.details, {}, user.token)
  expect(data).toMatchObject({ planreff: u('80'), planreff_matured: u('50') })
  const days = ((data.planreff_matures_at?.getTime() ?? 0) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(defaultTerms.referralMatureDays - 0.1)
  expect(days).toBeLessThanOrEqual(defaultTerms.referralMatureDays)
  expect((await api.call(withdrawals.terms, {}, user.token)).data.referral_matured).toBe(u('50'))

  const refusal = 'insufficient_balance: You can withdraw or send 50 USDT of your Referral Rewards now'
  await expect(withdraw(api, user, '50.000001', { source: 'referral' })).rejects.toThrow(refusal)
  const send = (amount: string) => transfer(api, user, friend, amount, 'referral')
  await expect(send('50.000001')).rejects.toThrow(refusal)
  expect((await balancesOf(api, friend))['wallet']).toBe(ZERO)
  await withdraw(api, user, '20', { source: 'referral' })
  await send('30')
  await expect(send('0.01')).rejects.toThrow('You can withdraw or send 0 USDT')
})

test('thirty concurrent transfers never send more than has matured', async () => {
  const [user, friend] = [await anEarner(), await aUser(api)]
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, () => transfer(api, user, friend, '4', 'referral')),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(12)
  expect((await balancesOf(api, friend))['wallet']).toBe(u('48'))
})

test('a repeated transfer gets its stored reply, even if less has matured since', async () => {
  const [user, friend] = [await anEarner(), await aUser(api)]
  const order = { to_user: friend.username, amount: '50', source: 'referral' } as const
  const body = { ...order, ...(await signTransfer(user, order)) }
  const send = () => api.send('POST', '/internal_transfer/', body, { token: user.token, 'idempotency-key': 'once' })
  const [first, second] = [await send(), await send()]
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.body).toEqual(first.body)
})

test('new rewards can be reinvested at once, before those that could leave', async () => {
  const user = await anEarner()
  await api.call(plans.buy, purchaseBody(api, user, '30', 6), user.token)
  const { data } = await api.call(balance.details, {}, user.token)
  expect(data).toMatchObject({ planreff: u('50'), planreff_matured: u('50'), planreff_matures_at: null })
})

/** An independent model: every reward is kept by itself. What reinvests takes the newest, what leaves the oldest. */
type Lot = { left: Usdt; hour: number }
type Step = { kind: 'earn' | 'reinvest' | 'hold' | 'leave'; amount: Usdt; hours: number }
const MATURE_HOURS = defaultTerms.referralMatureDays * 24

function takeFrom(lots: Lot[], amount: Usdt): void {
  let open = amount
  for (const lot of lots) {
    const part = smaller(lot.left, open)
    lot.left = subtract(lot.left, part)
    open = subtract(open, part)
  }
}
const sumOf = (lots: Lot[]): Usdt => micro(lots.reduce((sum, { left }) => sum + left, 0n))

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('earn', 'earn', 'reinvest', 'hold', 'leave'),
  amount: fc.integer({ min: 1, max: 40 }).map((amount) => u(String(amount))),
  hours: fc.integer({ min: 1, max: 60 }),
})

test('property: what may leave is exactly what was earned early enough and not taken by something else', async () => {
  const friend = await aUser(api)
  const owner = createOwnerPool(api.database.ownerUrl)
  await fundPool(api, 'reward_pool', '100000')
  const check = async (steps: Step[]) => {
    const user = await aUser(api)
    const lots: Lot[] = []
    const hours: number[] = []
    let hour = 0
    for (const { kind, amount, hours: pause } of steps) {
      hour += pause
      const isMature = (lot: Lot) => lot.hour <= hour - MATURE_HOURS
      const limit = kind === 'leave' ? sumOf(lots.filter(isMature)) : sumOf(lots)
      const taken = kind === 'earn' ? amount : smaller(amount, limit)
      if (taken === ZERO) continue
      if (kind === 'earn') lots.push({ left: amount, hour })
      else takeFrom(kind === 'leave' ? lots : lots.toReversed(), taken)
      await move(user, friend, kind, taken)
      hours.push(hour)
    }
    await owner.query(
      `with age as (select version, hour from unnest($2::int[]) with ordinality as a (hour, version))
       update ledger_entries e set posted_at = now() - make_interval(hours => $3) + make_interval(hours => age.hour)
       from age where e.account_id = $1 and e.version = age.version`,
      [String(userAccount(user.number, 'referral')), hours, hour],
    )
    const young = lots.filter((lot) => lot.hour > hour - MATURE_HOURS && lot.left > ZERO)
    const { immature, nextAt } = await readMaturity(api.context.db, user.number)
    expect(immature).toBe(sumOf(young))
    expect(nextAt === null).toBe(young.length === 0)
    if (nextAt && young[0]) {
      const hoursLeft = (nextAt.getTime() - Date.now()) / 3_600_000
      expect(Math.abs(hoursLeft - (young[0].hour + MATURE_HOURS - hour))).toBeLessThan(0.5)
    }
  }
  try {
    await owner.query('set session_replication_role = replica')
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), check), {
      numRuns: 40,
      endOnFailure: true,
    })
  } finally {
    await owner.end()
  }
})

async function move(user: TestUser, friend: TestUser, kind: Step['kind'], amount: Usdt): Promise<void> {
  const referral = userAccount(user.number, 'referral')
  const ways: Record<Step['kind'], [PostingKind, AccountId, AccountId]> = {
    earn: ['upline_reward', systemAccount('reward_pool'), referral],
    reinvest: ['re_top_up', referral, userAccount(user.number, 'plan')],
    hold: ['reward_hold', referral, userAccount(user.number, 'hold')],
    leave: ['transfer', referral, userAccount(friend.number, 'wallet')],
  }
  const [posting, from, to] = ways[kind]
  await transaction(api.context.db, (tx) =>
    post(tx, { kind: posting, reference: newId(), movements: [{ from, to, amount }] }),
  )
}

test('a reward waits as long as the terms said when it was earned', async () => {
  const user = await aUser(api)
  await giveRewards(api, user.number, 'referral', '50')
  await changeTerms(api.database.ownerUrl, { referralMatureDays: 0 })
  await giveRewards(api, user.number, 'referral', '20')
  const { data } = await api.call(withdrawals.terms, {}, user.token)
  expect([data.referral, data.referral_matured]).toEqual([u('70'), u('20')])
  expect(data.referral_matures_at?.getTime()).toBeGreaterThan(Date.now() + 6 * 24 * 3_600_000)
})
