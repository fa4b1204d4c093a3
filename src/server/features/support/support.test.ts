import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../../../protocol/money.ts'
import { OPEN_REQUESTS_MAX, support } from '../../../protocol/support.ts'
import { dayOf } from '../../../protocol/time.ts'
import { PILLARS } from '../../../protocol/wellness-day.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { post } from '../../ledger/post.ts'
import { optionsOf, parseArguments } from '../../operators/command.ts'
import { supportCommands } from '../../operators/support-commands.ts'
import { newId, transaction } from '../../platform/db.ts'
import { aUser, createTestApi, type TestApi } from '../../testing/api.ts'
import { freezeUser } from '../../testing/ops.ts'
import { balancesOf, createTestClock, fundPool } from '../../testing/plans.ts'

const u = parseUsdt
const clock = createTestClock('2030-05-10T12:00:00Z')
let api: TestApi

beforeAll(async () => {
  api = await createTestApi({ clock })
  await fundPool(api, 'health_pool', '1000')
})
afterAll(() => api.close())

async function aUserWithHealth(amount: string) {
  const user = await aUser(api)
  const movements = [{ from: systemAccount('health_pool'), to: userAccount(user.number, 'health'), amount: u(amount) }]
  await transaction(api.context.db, (tx) => post(tx, { kind: 'daily_reward', reference: newId(), movements }))
  return user
}

/** Adds completed challenges, four per day, on the days up to `daysAgo`. */
async function complete(userNumber: number, count: number, daysAgo = 0) {
  const rows = Array.from({ length: count }, (_, index) => {
    const at = new Date(clock.now().getTime() - (daysAgo + Math.floor(index / 4)) * 86_400_000)
    return { user_number: userNumber, day_on: dayOf(at), pillar: PILLARS[index % 4] ?? 'activity', completed_at: at }
  })
  await api.context.db.insertInto('wellness_completions').values(rows).execute()
}

const release = (token: string, withdraw_amount: string, key?: string) =>
  api.send('POST', '/healthroi/', { withdraw_amount }, { token, ...(key && { 'idempotency-key': key }) })

test('nine challenges are one too few, and the reply says so; with ten, health money moves to the wallet', async () => {
  const user = await aUserWithHealth('5')
  await complete(user.number, 9)
  expect(await release(user.token, '2')).toMatchObject({
    status: 400,
    body: {
      code: 'not_eligible',
      Msg: 'Complete 1 more challenge to release your health balance. You need 10 in 30 days.',
    },
  })
  expect(await api.call(support.health, {}, user.token)).toMatchObject({
    balance: u('5'),
    challenges_done: 9,
    challenges_needed: 10,
  })
  await complete(user.number, 1, 10)
  expect(await release(user.token, '2')).toMatchObject({ status: 200, body: { Msg: '2 USDT moved to your wallet' } })
  expect(await balancesOf(api, user)).toMatchObject({ health: u('3'), wallet: u('2') })
})

test('the thirtieth day counts, the thirty-first does not', async () => {
  const user = await aUserWithHealth('5')
  await complete(user.number, 9)
  await complete(user.number, 1, 30)
  expect((await release(user.token, '1')).status).toBe(400)
  await complete(user.number, 1, 29)
  expect((await release(user.token, '1')).status).toBe(200)
})

test('less than 1 USDT or more than the balance is refused, and nothing moves', async () => {
  const user = await aUserWithHealth('5')
  await complete(user.number, 12)
  expect((await release(user.token, '0.999999')).body.code).toBe('amount_below_minimum')
  expect((await release(user.token, '5.000001')).body.code).toBe('insufficient_balance')
  expect(await balancesOf(api, user)).toMatchObject({ health: u('5'), wallet: 0n })
})

test('twenty concurrent releases with one key move the money once; a different amount with that key is a conflict', async () => {
  const user = await aUserWithHealth('5')
  await complete(user.number, 12)
  const replies = await Promise.all(Array.from({ length: 20 }, () => release(user.token, '5', 'one-key')))
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  expect(await balancesOf(api, user)).toMatchObject({ health: 0n, wallet: u('5') })
  expect((await release(user.token, '4', 'one-key')).body.code).toBe('idempotency_mismatch')
})

test('fifty concurrent releases without a key never move more than the balance', async () => {
  const user = await aUserWithHealth('5')
  await complete(user.number, 12)
  const replies = await Promise.all(Array.from({ length: 50 }, () => release(user.token, '2')))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(await balancesOf(api, user)).toMatchObject({ health: u('1'), wallet: u('4') })
})

const words = { topic: 'health', subject: 'My streak', text: 'Where is my freeze?' } as const
/** Runs a support command of the operator with the test's clock. */
const ops = async (action: string, ...args: string[]) => {
  const command = supportCommands.find(({ name }) => name === `support ${action}`)
  if (!command) throw new Error(`there is no command ${action}`)
  const lines: string[] = []
  const parsed = parseArguments(args, optionsOf(command))
  await command.run({ context: api.context, ...parsed, write: (text) => lines.push(text) })
  return lines.join('\n')
}
const answer = (...args: string[]) => ops('answer', ...args, '--as', 'anna')

test('a request is open, answered by the operator, open again after a reply, and closed', async () => {
  const { token } = await aUser(api)
  const { request } = await api.call(support.open, words, token)
  const request_id = `request_${request.id}`
  expect(request).toMatchObject({ state: 'open', urgent: false, messages: 1 })
  expect(await ops('list')).toContain(request_id)
  expect(await answer(request_id, 'You', 'earn one', 'tomorrow.')).toContain('You earn one tomorrow.')
  const answered = await api.call(support.thread, { request_id }, token)
  expect(answered.request.state).toBe('answered')
  expect(answered.data.map(({ author, text }) => [author, text])).toEqual([
    ['user', 'Where is my freeze?'],
    ['operator', 'You earn one tomorrow.'],
  ])
  expect(await ops('list')).not.toContain(request_id)
  expect((await api.call(support.reply, { request_id, text: 'Thanks' }, token)).request.state).toBe('open')
  expect((await api.call(support.close, { request_id }, token)).request.state).toBe('closed')
  await expect(api.call(support.reply, { request_id, text: 'One more' }, token)).rejects.toThrow('request_closed')
  await expect(answer(request_id, 'Too late')).rejects.toThrow('closed')
  expect((await api.call(support.requests, { page_no: 1 }, token)).data).toMatchObject([
    { id: request.id, messages: 3 },
  ])
})

test('an operator’s answer is recorded in the audit log', async () => {
  const { token } = await aUser(api)
  const { request } = await api.call(support.open, words, token)
  await answer(`request_${request.id}`, 'Hello', '--close')
  const row = await api.context.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').executeTakeFirst()
  expect(row).toMatchObject({ who: 'anna', what: `answer request_${request.id}` })
  const { data } = await api.call(support.requests, { page_no: 1 }, token)
  expect(data[0]?.state).toBe('closed')
})

test('another user’s request looks like one that does not exist', async () => {
  const [owner, other] = [await aUser(api), await aUser(api)]
  const { request } = await api.call(support.open, words, owner.token)
  const request_id = `request_${request.id}`
  for (const attempt of [
    () => api.call(support.thread, { request_id }, other.token),
    () => api.call(support.reply, { request_id, text: 'x' }, other.token),
    () => api.call(support.close, { request_id }, other.token),
  ])
    await expect(attempt()).rejects.toThrow('not_found')
  expect((await api.call(support.requests, { page_no: 1 }, other.token)).total).toBe(0)
})

test('a message that suggests danger marks the request as urgent, and the operator sees it first', async () => {
  const { token } = await aUser(api)
  await api.call(support.open, words, token)
  const { request } = await api.call(support.open, { ...words, text: 'I don’t want to live any more' }, token)
  expect(request.urgent).toBe(true)
  expect((await ops('list')).split('\n')[0]).toContain(`request_${request.id}  URGENT`)
})

test('a user can have five open requests; closing one makes room', async () => {
  const { token } = await aUser(api)
  const replies = await Promise.all(
    Array.from({ length: OPEN_REQUESTS_MAX + 3 }, () => api.send('POST', '/support/open/', words, { token })),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(OPEN_REQUESTS_MAX)
  const { data } = await api.call(support.requests, { page_no: 1 }, token)
  await api.call(support.close, { request_id: `request_${data[0]?.id}` }, token)
  expect((await api.send('POST', '/support/open/', words, { token })).status).toBe(200)
})

test('a frozen account cannot move money, but can write to support', async () => {
  const user = await aUserWithHealth('5')
  await complete(user.number, 12)
  await freezeUser(api, user.number)
  expect((await release(user.token, '1')).body.code).toBe('user_frozen')
  expect((await api.call(support.open, words, user.token)).request.state).toBe('open')
})

test('user text cannot inject escape sequences into the operator’s terminal, and empty or invalid text is refused', async () => {
  const { token } = await aUser(api)
  const { request } = await api.call(support.open, { ...words, text: 'a\u001b[2Jb' }, token)
  expect(await ops('show', `request_${request.id}`)).not.toContain('\u001b')
  for (const text of ['', '   ', 'a\0b', 'x'.repeat(2_001)])
    expect((await api.send('POST', '/support/open/', { ...words, text }, { token })).status, text).toBe(400)
  await expect(answer('nonsense', 'x')).rejects.toThrow('not a request id')
  await expect(answer(`request_${request.id}`)).rejects.toThrow('Write the answer')
  await expect(ops('answer', `request_${request.id}`, 'Hello')).rejects.toThrow('--as NAME')
})
