import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt, type Usdt } from '../../../protocol/money.ts'
import { transfers } from '../../../protocol/transfers.ts'
import { getUserBalances } from '../../ledger/balances.ts'
import { transaction } from '../../platform/db.ts'
import type { Event } from '../../platform/events.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { fillAccount } from '../../testing/ledger.ts'
import { freezeUser } from '../../testing/ops.ts'
import { signTransfer, type TransferBody } from '../../testing/payments.ts'

let api: TestApi
const u = parseUsdt
type TestUser = Awaited<ReturnType<typeof aUser>>

beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.close())

async function aRichUser(amount: Usdt): Promise<TestUser> {
  const user = await aUser(api)
  await transaction(api.context.db, (tx) => fillAccount(tx, user.number, 'wallet', amount))
  return user
}
const walletOf = async (user: TestUser) => (await getUserBalances(api.context.db, user.number)).wallet
const body = (to: TestUser, amount: string, note?: string): TransferBody => ({
  to_user: to.username,
  amount,
  source: 'wallet',
  ...(note !== undefined && { note }),
})
/** Sends with a signature, because the test users' sessions are not bound. */
async function send(from: TestUser, payload: TransferBody, headers: Record<string, string> = {}) {
  const isAmount = /^\d+(\.\d{1,6})?$/.test(payload.amount)
  const proof = await signTransfer(from, isAmount ? payload : { ...payload, amount: '1' })
  const key = crypto.randomUUID()
  return api.send(
    'POST',
    '/internal_transfer/',
    { ...payload, ...proof },
    {
      token: from.token,
      'idempotency-key': key,
      ...headers,
    },
  )
}

test('a transfer arrives immediately, appears in both histories and publishes a balance event', async () => {
  const heard: Event[] = []
  const unsubscribe = api.context.events.subscribe((event) => heard.push(event))
  const [anna, ben] = [await aRichUser(u('50')), await aUser(api)]
  const reply = await send(anna, body(ben, '12.5', 'for the run'))
  expect(reply).toMatchObject({ status: 200, body: { Msg: `12.5 USDT sent to ${ben.username}` } })
  expect([await walletOf(anna), await walletOf(ben)]).toEqual([u('37.5'), u('12.5')])
  const [sent] = (await api.call(transfers.history, {}, anna.token)).data
  const [received] = (await api.call(transfers.history, {}, ben.token)).data
  expect(sent).toMatchObject({ direction: 'out', username: ben.username, amount: u('12.5'), note: 'for the run' })
  expect(received).toMatchObject({ direction: 'in', username: anna.username, source: 'wallet' })
  await expect.poll(() => heard).toContainEqual({ topic: 'balance', user: ben.number })
  unsubscribe()
})

test('a repeat with the same key gets the same reply and moves nothing; another body is refused', async () => {
  const [anna, ben] = [await aRichUser(u('50')), await aUser(api)]
  const key = { 'idempotency-key': 'run-42' }
  const replies = await Promise.all(Array.from({ length: 20 }, () => send(anna, body(ben, '5', 'once'), key)))
  expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(await walletOf(ben)).toBe(u('5'))
  for (const other of [body(ben, '6', 'once'), body(ben, '5', 'other')])
    expect(await send(anna, other, key)).toMatchObject({ status: 409, body: { code: 'idempotency_mismatch' } })
})

test('a transfer without an idempotency key is refused', async () => {
  const [anna, ben] = [await aRichUser(u('50')), await aUser(api)]
  const reply = await api.send('POST', '/internal_transfer/', body(ben, '5'), { token: anna.token })
  expect(reply).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } })
  expect(await walletOf(anna)).toBe(u('50'))
})

test('the same key from two users makes two transfers', async () => {
  const [anna, ben] = [await aRichUser(u('5')), await aRichUser(u('5'))]
  const key = { 'idempotency-key': 'same' }
  expect((await send(anna, body(ben, '1'), key)).status).toBe(200)
  expect((await send(ben, body(anna, '2'), key)).status).toBe(200)
  expect(await walletOf(anna)).toBe(u('6'))
})

test('sixty concurrent transfers never send more than the balance', async () => {
  const [anna, ben] = [await aRichUser(u('10')), await aUser(api)]
  const replies = await Promise.all(Array.from({ length: 60 }, () => send(anna, body(ben, '0.7'))))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(14)
  expect([await walletOf(anna), await walletOf(ben)]).toEqual([u('0.2'), u('9.8')])
})

test.each([
  ['0.01', 200],
  ['0.009999', 'amount_below_minimum'],
  ['5000', 200],
  ['5000.000001', 'amount_above_limit'],
  ['0', 'amount_zero'],
  ['-1', 'amount_format'],
  ['1e3', 'amount_format'],
  ['0.0000001', 'amount_precision'],
])('a transfer of %s USDT gets %s', async (amount, expected) => {
  const [anna, ben] = [await aRichUser(u('6000')), await aUser(api)]
  const reply = await send(anna, body(ben, amount))
  expect(expected === 200 ? reply.status : reply.body.code).toBe(expected)
})

test('a transfer to yourself, to an unknown or frozen user, from a frozen user or with a bad note is refused', async () => {
  const [anna, ben] = [await aRichUser(u('50')), await aUser(api)]
  expect(await send(anna, body(anna, '1'))).toMatchObject({ status: 400, body: { code: 'not_eligible' } })
  expect(await send(anna, { ...body(ben, '1'), to_user: 'nobody_here' })).toMatchObject({
    status: 404,
    body: { code: 'unknown_user', field: 'to_user' },
  })
  expect((await send(anna, body(ben, '1', 'two\nlines'))).status).toBe(400)
  expect((await send(anna, body(ben, '1', 'x'.repeat(141)))).status).toBe(400)
  await freezeUser(api, ben.number)
  expect(await send(anna, body(ben, '1'))).toMatchObject({ status: 403, body: { code: 'user_frozen' } })
  expect(await send(ben, body(anna, '1'))).toMatchObject({ status: 403, body: { code: 'user_frozen' } })
  expect(await walletOf(anna)).toBe(u('50'))
})

test('a recipient is found only by exact username, and shown with their level', async () => {
  const [anna, ben] = [await aUser(api), await aUser(api)]
  await api.context.db.updateTable('users').set({ points: 900n }).where('number', '=', ben.number).execute()
  const found = await api.call(transfers.recipient, { to_user: ben.username }, anna.token)
  expect(found.data).toEqual({ username: ben.username, level: 3, unsigned_max: 0n })
  const half = ben.username.slice(0, -1)
  await expect(api.call(transfers.recipient, { to_user: half }, anna.token)).rejects.toThrow('unknown_user')
})

test('the history pages through sent and received transfers together, newest first', async () => {
  const [anna, ben] = [await aRichUser(u('50')), await aRichUser(u('50'))]
  for (let at = 0; at < 30; at++) {
    await send(anna, body(ben, '0.01'))
    await send(ben, body(anna, '0.02'))
  }
  const first = await api.call(transfers.history, { page_no: 1 }, anna.token)
  const second = await api.call(transfers.history, { page_no: 2 }, anna.token)
  expect([first.data.length, second.data.length, first.total]).toEqual([50, 10, 60])
  expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(60)
  expect(first.data[0]).toMatchObject({ direction: 'in', amount: u('0.02') })
})
