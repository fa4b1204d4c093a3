import { afterEach, beforeEach, expect, test } from 'vitest'
import { balance } from '../../../protocol/balance.ts'
import { colour } from '../../../protocol/colour.ts'
import { formatUsdt, parseUsdt } from '../../../protocol/money.ts'
import type { Terms } from '../../../protocol/terms.ts'
import { defaultTerms } from '../../../protocol/terms-defaults.ts'
import { withdrawals } from '../../../protocol/withdrawals.ts'
import { runAudit } from '../../ledger/audit.ts'
import { createDb, createPool, type Db, transaction } from '../../platform/db.ts'
import { termsAt } from '../../platform/terms.ts'
import { aUser } from '../../testing/api.ts'
import { aPlayer, createTestTable, fillFees, type TestTable } from '../../testing/colour.ts'
import { signedWithdrawal, withdraw } from '../../testing/payments.ts'
import { aUserWithPlan, balancesOf, buyPlan, fundPool, giveWallet, purchaseBody } from '../../testing/plans.ts'
import { changeTerms } from '../../testing/terms.ts'
import { openRound } from '../colour/draws.ts'
import { planInvariants } from '../plans/invariants.ts'
import { rewardInvariants } from '../rewards/invariants.ts'
import { signatureInvariants, withdrawalInvariants } from '../withdrawals/invariants.ts'

const u = parseUsdt
let api: TestTable
beforeEach(async () => {
  api = await createTestTable()
  await fundPool(api, 'reward_pool', '1000')
})
// Old rows are checked with the terms of their own time, so no change may break an invariant.
afterEach(async () => {
  const { db, chain } = api.context
  const checked = [...planInvariants, ...rewardInvariants, ...withdrawalInvariants, ...signatureInvariants(chain)]
  const report = await runAudit(db, checked)
  await api.close()
  expect(report.invariants.flatMap(({ findings }) => findings)).toEqual([])
})

const change = (changes: Partial<Terms>, seconds?: number) => changeTerms(api.database.ownerUrl, changes, seconds)
const halved = defaultTerms.tiers.map((tier) => ({ ...tier, dailyRatePpm: tier.dailyRatePpm / 2n, termDays: 10 }))

test('a running plan keeps its rate, term and health share; a new one gets the new ones', async () => {
  const user = await aUserWithPlan(api, '100')
  await change({ tiers: halved, healthSharePercent: 10n })
  await buyPlan(api, user, '100')
  const lots = await api.context.db
    .selectFrom('plan_lots')
    .select(['daily_rate_ppm', 'health_percent', 'started_on', 'matures_on'])
    .orderBy('number')
    .execute()
  const days = lots.map((lot) => (Date.parse(lot.matures_on) - Date.parse(lot.started_on)) / 86_400_000)
  expect(lots.map((lot) => lot.daily_rate_ppm)).toEqual([1_500, 750])
  expect(lots.map((lot) => lot.health_percent)).toEqual([5, 10])
  expect(days).toEqual([90, 10])
})

test('an upline earns the percents of the moment of the purchase', async () => {
  const sponsor = await aUserWithPlan(api, '100')
  await aUserWithPlan(api, '100', { referralCode: sponsor.referralCode })
  await change({ uplinePercents: [2n] })
  await aUserWithPlan(api, '100', { referralCode: sponsor.referralCode })
  expect((await balancesOf(api, sponsor))['referral']).toBe(u('7'))
})

test('a lower cap leaves a larger plan alone, and lets it grow no more', async () => {
  const user = await aUserWithPlan(api, '500')
  await giveWallet(api, user.number, '20')
  await change({ planAmountMax: u('400') })
  const more = await api.send('POST', '/gamebuyplan/', purchaseBody(api, user, '20', 1), { token: user.token })
  expect(more).toMatchObject({ status: 400, body: { Msg: 'Maximum investment You can 0 USDT' } })
  expect((await balancesOf(api, user))['plan']).toBe(u('500'))
})

test('a withdrawal signed before a change of the fee and sent after it is refused with the new figure', async () => {
  const user = await aUser(api)
  await giveWallet(api, user.number, '500')
  expect((await withdraw(api, user, '50')).data.fee).toBe(u('2.5'))
  const signed = await signedWithdrawal(user, '100')
  await change({ withdrawalFeePercent: 4n })
  const send = (body: object) => api.send('POST', '/withdraw_request/', body, { token: user.token })
  const late = await send(signed)
  expect(late).toMatchObject({ status: 409, body: { code: 'amount_mismatch', field: 'fee' } })
  expect(late.body.Msg).toContain('The withdrawal fee is 4%: 4 USDT')
  expect((await balancesOf(api, user))['wallet']).toBe(u('450'))
  // A fee that the wallet did not sign is no way around it.
  expect((await send({ ...signed, fee: '4' })).body.code).toBe('signature_refused')
  const again = await withdraw(api, user, '100', { feePercent: 4n })
  expect(again.data).toMatchObject({ fee: u('4'), net: u('96') })
})

test('all that one transaction does follows the terms at its beginning, and no process is late', async () => {
  const processes = [api.database.urls.api, api.database.urls.worker].map((url) => createDb(createPool(url, 2)))
  const [first, second] = processes as [Db, Db]
  const fee = async (db: Db) => (await termsAt(db)).withdrawalFeePercent
  const across = await transaction(first, async (tx) => {
    const before = await fee(tx)
    await change({ withdrawalFeePercent: 4n })
    return [before, await fee(tx), await fee(second), await fee(first)]
  })
  expect(across).toEqual([5n, 5n, 4n, 4n])
  await Promise.all(processes.map((db) => db.destroy()))
})

test('a bet follows the terms of its round’s opening, and so does its upline', async () => {
  await fillFees(api, '10')
  const sponsor = await aUser(api)
  const player = await aPlayer(api, '100', { referralCode: sponsor.referralCode })
  const place = (amount: string) => api.send('POST', '/place-bet/', { amount, color: 'red' }, { token: player.token })
  const old = await api.open()
  await change({ colourBetMax: u('5'), colourUplinePermille: [1n] })
  expect((await place('10')).status).toBe(200)
  await api.closeBetting(old)
  await api.draw(old)
  expect((await api.call(colour.upline, { amount: '10' }, player.token)).paid).toBe(u('0.05'))
  await api.open()
  expect(await place('10')).toMatchObject({ status: 400, body: { Msg: 'The largest bet is 5 USDT' } })
})

/** A round length for which now is in the first half of a round. */
const lengthNow = () => {
  const seconds = (Date.now() - Date.UTC(2000, 0, 1)) / 1_000
  return [600, 700, 800, 900, 1_000, 1_100].find((length) => seconds % length < length / 2) ?? 1_300
}

test('the database opens a round with the terms in force, and none across a change', async () => {
  const seeds = createDb(createPool(api.database.urls.seeds, 1))
  const colourRoundSeconds = lengthNow()
  const times = { colourRoundSeconds, colourBettingSeconds: colourRoundSeconds - 20, colourResultSeconds: 77 }
  await change(times, -colourRoundSeconds)
  const round = await transaction(seeds, openRound)
  if (!round) throw new Error('no round was opened')
  expect((round.closes_at.getTime() - round.opens_at.getTime()) / 1_000).toBe(colourRoundSeconds - 20)
  expect(round.result_seconds).toBe(77)
  await api.closeBetting(round.number, 2_000)
  await change({ ...times, colourResultSeconds: 78 })
  expect(await transaction(seeds, openRound)).toBeUndefined()
  await seeds.destroy()
})

test('every page of a user shows the terms in force', async () => {
  const user = await aUser(api)
  await change({ withdrawalFeePercent: 3n, withdrawalMin: u('15'), planAmountMin: u('12') })
  const { data: details } = await api.call(balance.details, {}, user.token)
  expect([details.withdrawfee, formatUsdt(details.minimumamount)]).toEqual([3, '12'])
  const { data } = await api.call(withdrawals.terms, {}, user.token)
  expect([data.fee_percent, formatUsdt(data.amount_min)]).toEqual([3, '15'])
})
