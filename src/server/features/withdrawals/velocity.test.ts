import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseUsdt, type Usdt } from '../../../protocol/money.ts'
import { defaultTerms } from '../../../protocol/terms-defaults.ts'
import { withdrawalParts, withdrawals } from '../../../protocol/withdrawals.ts'
import { newId, transaction } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { runAsOwner } from '../../testing/database.ts'
import { decideWithdrawal, enrollTestOperators } from '../../testing/ops.ts'
import { signedWithdrawal, type TestUser, withdraw } from '../../testing/payments.ts'
import { giveWallet } from '../../testing/plans.ts'
import { requestWithdrawal } from './withdrawals.ts'

let api: TestApi
let users: TestUser[]
const u = parseUsdt
const CALLS = 30

beforeAll(async () => {
  // Each of many calls at once has a connection, so that on a busy machine none is refused because it waited too long.
  api = await createTestApi({ settings: { DATABASE_CONNECTIONS: String(CALLS + 10) }, statementMs: 120_000 })
  await enrollTestOperators(api.context)
  users = []
  for (let count = 0; count < 20; count++) {
    users.push(await aUser(api))
    await giveWallet(api, (users.at(-1) as TestUser).number, '1000000')
  }
})
afterAll(() => api.close())
/** Moves all earlier withdrawals to another day, so that each test has the limits of a new day. */
beforeEach(() =>
  runAsOwner(
    api.database.ownerUrl,
    `set session_replication_role = replica;
     update withdrawals set requested_at = requested_at - make_interval(days => 1 + (select count(*)::int from withdrawals))`,
  ),
)

/** What went out today without an operator: for each user, and in total. */
async function unattended(): Promise<{ most: Usdt; total: Usdt }> {
  const { rows } = await sql<{ most: Usdt; total: Usdt }>`
    select coalesce(max(sum), 0)::bigint as most, coalesce(sum(sum), 0)::bigint as total from (
      select sum(amount) from withdrawals w
      where requested_at >= date_trunc('day', now(), 'UTC') and state not in ('waiting', 'refused', 'refunded')
        and not withdrawal_is_approved(w.id)
      group by user_number) per_user`.execute(api.context.db)
  return rows[0] as { most: Usdt; total: Usdt }
}

const inTurn = (place: number): TestUser => users[place % users.length] as TestUser

test('thirty withdrawals of 100 USDT at once: three go out, the others wait for an operator and say why', async () => {
  const user = inTurn(0)
  const bodies = await Promise.all(Array.from({ length: CALLS }, () => signedWithdrawal(user, '100')))
  const replies = await Promise.all(
    bodies.map((body) => api.send('POST', '/withdraw_request/', body, { token: user.token })),
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  const { data } = await api.call(withdrawals.history, {}, user.token)
  expect(data.filter(({ state }) => state === 'requested')).toHaveLength(3)
  const waiting = data.filter(({ state }) => state === 'waiting')
  expect(waiting).toHaveLength(27)
  expect(new Set(waiting.map(({ note }) => note))).toEqual(
    new Set(['An operator will look at this one: today you can withdraw 0 USDT more without a review.']),
  )
})

test('twenty accounts together send at most 5,000 USDT a day without an operator', async () => {
  for (const user of users) for (const amount of ['100', '100', '49']) await withdraw(api, user, amount)
  expect(await unattended()).toEqual({ most: u('249'), total: u('4980') })
  const { data } = await api.call(withdrawals.terms, {}, inTurn(19).token)
  expect(data.automatic).toEqual({ each: u('100'), user_left: u('51'), product_left: u('20') })
  const late = await withdraw(api, inTurn(19), '20.000001')
  expect(late.data).toMatchObject({
    state: 'waiting',
    note: 'An operator will look at this one: many withdrawals were made today.',
  })
  expect((await withdraw(api, inTurn(19), '20')).data.state).toBe('requested')
})

test('an approved withdrawal does not use the limits of those that go out by themselves', async () => {
  const user = inTurn(0)
  for (const amount of ['100', '100', '90']) await withdraw(api, user, amount)
  const { data } = await withdraw(api, user, '50')
  expect(data.state).toBe('waiting')
  await decideWithdrawal(api, data.id, 'approve')
  expect((await withdraw(api, user, '10')).data.state).toBe('requested')
  expect(await unattended()).toEqual({ most: u('300'), total: u('300') })
})

const step = fc.record({
  user: fc.integer({ min: 0, max: 19 }),
  amount: fc.integer({ min: 10_000_000, max: 130_000_000 }).map((micro) => BigInt(micro) as Usdt),
  decision: fc.constantFrom('nothing', 'nothing', 'approve', 'reject'),
})

test('no sequence of requests and decisions lets more than the limits leave without an operator', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 120 }), async (steps) => {
      const waiting = [...steps]
      const takeTurns = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) await take(next)
      }
      await Promise.all(Array.from({ length: CALLS }, takeTurns))
      const { most, total } = await unattended()
      expect(most).toBeLessThanOrEqual(defaultTerms.withdrawalAutomaticDailyMax)
      expect(total).toBeLessThanOrEqual(defaultTerms.withdrawalAutomaticProductDailyMax)
    }),
    { numRuns: 6, endOnFailure: true },
  )
  // The limits were reached, so the property was put to the test.
  expect((await unattended()).total).toBeGreaterThan(u('3000'))
})

async function take({
  user: place,
  amount,
  decision,
}: {
  user: number
  amount: Usdt
  decision: string
}): Promise<void> {
  const { number, wallet } = inTurn(place)
  const now = api.context.clock.now()
  const { fee } = withdrawalParts(amount, defaultTerms.withdrawalFeePercent)
  const order = { user: { number, walletAddress: wallet.address }, amount, fee, source: 'wallet' } as const
  const proof = { nonce: newId().replaceAll('-', ''), deadline: new Date(now.getTime() + 60_000), signature: '0x00' }
  const row = await transaction(api.context.db, (tx) => requestWithdrawal(tx, { ...order, ...proof }, now)).catch(
    (error: { code?: string }) => {
      if (error.code === 'amount_above_limit') return undefined
      throw error
    },
  )
  if (row?.state !== 'waiting' || decision === 'nothing') return
  await decideWithdrawal(api, row.id, decision === 'approve' ? 'approve' : 'reject')
}
