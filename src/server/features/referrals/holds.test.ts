import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { balance } from '../../../protocol/balance.ts'
import { parseUsdt } from '../../../protocol/money.ts'
import { plans } from '../../../protocol/plans.ts'
import { referrals } from '../../../protocol/referrals.ts'
import { support } from '../../../protocol/support.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { runAudit } from '../../ledger/audit.ts'
import { invariants } from '../../operators/invariants.ts'
import { transaction } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { runAsOwner } from '../../testing/database.ts'
import { newsOf } from '../../testing/news.ts'
import { runTestOps } from '../../testing/ops.ts'
import { transfer } from '../../testing/payments.ts'
import {
  aUserWithPlan,
  balancesOf,
  buyPlan,
  fundPool,
  giveWallet,
  purchaseBody,
  systemBalances,
  type TestUser,
} from '../../testing/plans.ts'
import { holdPaidRewards } from '../plans/holds.ts'
import { recordTransfersAsFunding } from '../transfers/funding.ts'
import { openSession } from '../users/sessions.ts'
import { findFlags } from './flags.ts'

let api: TestApi
let sponsor: TestUser
beforeAll(async () => {
  api = await createTestApi()
  await fundPool(api, 'reward_pool', '1000')
})
afterAll(() => api.close())
beforeEach(async () => {
  sponsor = await aUserWithPlan(api, '100')
})

const flag = () =>
  transaction(api.context.db, async (tx) => {
    await recordTransfersAsFunding(tx)
    await findFlags(tx)
  })
const newDevice = () =>
  ({ kty: 'EC', crv: 'P-256', x: randomBytes(32).toString('base64url'), y: 'y'.repeat(43) }) as const

/** Signs all of them in from the same browser. */
async function shareDevice(...people: TestUser[]): Promise<void> {
  const key = newDevice()
  for (const { number } of people) await transaction(api.context.db, (tx) => openSession(tx, number, 'a phone', key))
}

/** One user sends money to the other. */
async function shareMoney(from: TestUser, to: TestUser): Promise<void> {
  await giveWallet(api, from.number, '1')
  await transfer(api, from, to, '1')
}

/** Makes everything in the user's referral balance old enough to leave. */
const ageRewards = (userNumber: number) =>
  runAsOwner(
    api.database.ownerUrl,
    `set session_replication_role = replica;
     update ledger_entries set posted_at = posted_at - interval '8 days'
     where account_id = ${userAccount(userNumber, 'referral')}`,
  )

const invite = (by = sponsor) => aUser(api, { referralCode: by.referralCode })

/** Buys a plan, which earns the sponsor 5 USDT. */
async function buy(user: TestUser): Promise<void> {
  await buyPlan(api, user, '100')
  await api.call(plans.upline, { purchase_amount: '100' }, user.token)
}

const ops = (line: string, why: string) => runTestOps(api, [...line.split(' '), '--as', 'anna', '--why', why])
const look = (command: string) => runTestOps(api, [command])
const listOf = async (user: TestUser) => (await api.call(referrals.holds, {}, user.token)).data
const lastAct = () =>
  api.context.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
const expectIntactBooks = async () =>
  expect((await runAudit(api.context.db, invariants)).invariants.flatMap(({ findings }) => findings)).toEqual([])

/** A reward of 5 USDT that is held because of two signals. */
async function aHold() {
  const buyer = await invite()
  await shareDevice(sponsor, buyer)
  await shareMoney(sponsor, buyer)
  await flag()
  await buy(buyer)
  const [hold] = await listOf(sponsor)
  if (!hold) throw new Error('nothing is on hold')
  return { buyer, hold }
}

test('a reward with two signals against it is held when it is paid; it counts neither in TWA nor in BWA, and buys nothing', async () => {
  const { hold } = await aHold()
  expect(hold).toMatchObject({
    amount: parseUsdt('5'),
    level: 1,
    percent: '5',
    reasons: ['device', 'funding'],
    state: 'held',
  })
  expect(await balancesOf(api, sponsor)).toMatchObject({ referral: 0n, hold: parseUsdt('5') })
  const { data } = await api.call(balance.details, {}, sponsor.token)
  expect([data.TWA, data.BWA, data.planreff, data.hold]).toEqual([0n, 0n, 0n, parseUsdt('5')])
  await giveWallet(api, sponsor.number, '9.999999')
  const purchase = purchaseBody(api, sponsor, '10', 1)
  await expect(api.call(plans.buy, purchase, sponsor.token)).rejects.toThrow('Insufficient balance in your wallet')
  await expectIntactBooks()
})

test('a shared tablet alone or many sign-ups in one evening alone hold nothing; shared funding does', async () => {
  const family = await invite()
  await shareDevice(sponsor, family)
  const borrower = await invite()
  await shareMoney(sponsor, borrower)
  const host = await aUserWithPlan(api, '100')
  const guests = await Promise.all(Array.from({ length: 5 }, () => invite(host)))
  await flag()
  for (const buyer of [family, borrower, ...guests.slice(0, 1)]) await buy(buyer)
  await holdPaidRewards(api.context.db)
  expect(await balancesOf(api, sponsor)).toMatchObject({ referral: parseUsdt('5'), hold: parseUsdt('5') })
  expect(await listOf(sponsor)).toMatchObject([{ reasons: ['funding'] }])
  expect(await balancesOf(api, host)).toMatchObject({ referral: parseUsdt('5'), hold: 0n })
  expect((await look('flags')).text).toMatch(new RegExp(`burst +${host.number} on .* 5 `))
})

test('a burst of sign-ups from one device holds the reward of a sponsor who does not use that device', async () => {
  const crowd = await Promise.all(Array.from({ length: 5 }, () => invite()))
  await shareDevice(...crowd.slice(0, 3))
  await flag()
  for (const buyer of crowd.slice(2, 4)) await buy(buyer)
  // Of the two buyers, only the first used the shared device.
  expect((await listOf(sponsor)).map(({ reasons }) => reasons)).toEqual([['burst', 'device']])
})

test('signals found after the payment hold what is left of it, once; what was spent is not taken from later rewards', async () => {
  const [early, late] = [await invite(), await invite()]
  await buy(early)
  await ageRewards(sponsor.number)
  const stranger = await aUser(api)
  await transfer(api, sponsor, stranger, '4', 'referral')
  await shareDevice(sponsor, early)
  await shareMoney(sponsor, early)
  await flag()
  await holdPaidRewards(api.context.db)
  expect(await balancesOf(api, sponsor)).toMatchObject({ referral: 0n, hold: parseUsdt('1') })
  await buy(late)
  await holdPaidRewards(api.context.db)
  expect(await balancesOf(api, sponsor)).toMatchObject({ referral: parseUsdt('5'), hold: parseUsdt('1') })
  await expectIntactBooks()
})

test('the owner can appeal once through support; the operator sees it first and releases the reward', async () => {
  const { buyer, hold } = await aHold()
  const appeal = { hold_id: `hold_${hold.hold_id}`, text: 'She is my sister. We share a phone.' }
  await expect(api.call(support.appeal, appeal, buyer.token)).rejects.toThrow(/not_found/)
  const { request } = await api.call(support.appeal, appeal, sponsor.token)
  expect(request).toMatchObject({ topic: 'money', state: 'open', subject: expect.stringContaining('5 USDT on hold') })
  await expect(api.call(support.appeal, appeal, sponsor.token)).rejects.toThrow(/not_eligible/)
  expect((await listOf(sponsor))[0]?.appeal_id).toBe(request.id)
  expect((await look('holds')).text.split('\n')[2]).toContain(`request_${request.id}`)

  expect(await ops(`holds release hold_${hold.hold_id}`, 'They are sisters')).toMatchObject({ code: 0 })
  expect(await balancesOf(api, sponsor)).toMatchObject({ referral: parseUsdt('5'), hold: 0n })
  expect((await listOf(sponsor))[0]).toMatchObject({ state: 'released', note: 'They are sisters' })
  expect((await newsOf(api.context.db, sponsor)).slice(-2)).toEqual(['reward_held', 'reward_released'])
  expect(await lastAct()).toMatchObject({
    who: 'anna',
    what: expect.stringMatching(`^holds release .*amount: 5; hold: ${hold.hold_id}`),
  })
  expect((await ops(`holds confirm hold_${hold.hold_id}`, 'again')).text).toContain('already released')
  await holdPaidRewards(api.context.db)
  expect((await balancesOf(api, sponsor))['hold']).toBe(0n)
  await expectIntactBooks()
})

test('a confirmed hold goes to the fees, and its owner sees why', async () => {
  const { hold } = await aHold()
  const before = await systemBalances(api)
  await ops(`holds confirm ${hold.hold_id}`, 'Both accounts are yours')
  const after = await systemBalances(api)
  expect((after['fees'] ?? 0n) - (before['fees'] ?? 0n)).toBe(parseUsdt('5'))
  expect((await listOf(sponsor))[0]).toMatchObject({ state: 'forfeited', note: 'Both accounts are yours' })
  expect((await newsOf(api.context.db, sponsor)).slice(-2)).toEqual(['reward_held', 'reward_forfeited'])
  expect(await lastAct()).toMatchObject({
    what: expect.stringMatching(`^holds confirm .*amount: 5; hold: ${hold.hold_id}`),
  })
  await expectIntactBooks()
})

test('a dismissed flag no longer holds rewards, and the other sign alone does not', async () => {
  const { buyer } = await aHold()
  const { text } = await look('flags')
  const id = text
    .split('\n')
    .find((line) => line.includes('funding') && line.includes(buyer.username))
    ?.split(' ')[0]
  expect(await ops(`flags dismiss ${id}`, 'A couple')).toMatchObject({ code: 0 })
  await flag()
  await giveWallet(api, buyer.number, '100')
  await buy(buyer)
  expect(await balancesOf(api, sponsor)).toMatchObject({ referral: parseUsdt('5'), hold: parseUsdt('5') })
})

test('invariant 27 reports held money without a hold', async () => {
  const { hold } = await aHold()
  await runAsOwner(
    api.database.ownerUrl,
    `set session_replication_role = replica; update referral_holds set amount = amount - 1 where id = '${hold.hold_id}'`,
  )
  const broken = (await runAudit(api.context.db, invariants)).invariants.filter(({ findings }) => findings.length > 0)
  expect(broken.map(({ number }) => number)).toEqual([27])
})

test('the database refuses a user who is their own sponsor, or whose sponsor does not exist yet', async () => {
  const insert = (number: number, sponsorNumber: number) =>
    runAsOwner(
      api.database.ownerUrl,
      `insert into users (id, number, username, wallet_address, referral_code, sponsor_number) values
       (new_id(), ${number}, 'ring_${number}', '0x${'9'.repeat(40)}', 'RING2345', ${sponsorNumber})`,
    )
  await expect(insert(900_001, 900_001)).rejects.toThrow('of user 900001 does not exist')
  await expect(insert(900_001, 900_002)).rejects.toThrow('of user 900001 does not exist')
})
