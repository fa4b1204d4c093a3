import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { colour } from '../../../protocol/colour.ts'
import { declarations } from '../../../protocol/declarations.ts'
import { parseUsdt } from '../../../protocol/money.ts'
import { records } from '../../../protocol/records.ts'
import { createTestApi, type TestApi } from '../../testing/api.ts'
import { aPlayer, createTestTable, type TestTable } from '../../testing/colour.ts'
import { runAsOwner } from '../../testing/database.ts'
import { signedWithdrawal, signTransfer, type TestUser } from '../../testing/payments.ts'
import { balancesOf, giveRewards, giveWallet, purchaseBody } from '../../testing/plans.ts'
import { NOTHING, startPurchaseScene } from '../../testing/purchases.ts'

const RULES = { MINIMUM_AGE: '21', BLOCKED_COUNTRIES: 'US, KP', COUNTRY_HEADER: 'CF-IPCountry' }
let table: TestTable
beforeAll(async () => {
  table = await createTestTable({ settings: RULES })
  await table.open(3_600)
})
afterAll(() => table.close())

const declare = (user: TestUser, body: object, api: TestApi = table) =>
  api.send('POST', '/declare/', body, { token: user.token })
const bet = (user: TestUser, headers: Record<string, string> = {}, api: TestApi = table) =>
  api.send('POST', '/place-bet/', { amount: '1', color: 'green' }, { token: user.token, ...headers })
const buy = (user: TestUser, headers: Record<string, string> = {}, api: TestApi = table) =>
  api.send('POST', '/gamebuyplan/', purchaseBody(api, user, '10', 1), { token: user.token, ...headers })
/** A re top up from daily rewards. */
const topUp = (user: TestUser) =>
  table.send('POST', '/gamebuyplan/', purchaseBody(table, user, '10', 5), { token: user.token })
const refused = (code: string) => ({ status: 403, body: { code } })

async function aRichPlayer(): Promise<TestUser> {
  const user = await aPlayer(table)
  await giveWallet(table, user.number, '200')
  await giveRewards(table, user.number, 'reward', '50')
  return user
}

test('bets, plans and re top ups need a declaration of age and country, and then work', async () => {
  const user = await aRichPlayer()
  for (const attempt of [bet(user), buy(user), topUp(user)])
    expect(await attempt).toMatchObject({
      ...refused('declaration_required'),
      body: { Msg: 'First declare that you are 21 or older, and which country you live in.' },
    })
  expect(await declare(user, { age: 18, country: 'DE' })).toMatchObject({ status: 400, body: { code: 'not_eligible' } })
  expect(await declare(user, { age: 21 })).toMatchObject({ status: 400, body: { field: 'country' } })
  expect(await declare(user, { age: 21, country: 'XX' })).toMatchObject({ status: 400, body: { field: 'country' } })
  expect(await declare(user, { age: 21, country: 'DE' })).toMatchObject({ status: 200 })
  expect((await bet(user)).status).toBe(200)
  expect((await buy(user)).status).toBe(200)
  expect((await table.call(declarations.read, {}, user.token)).data).toMatchObject({
    minimum_age: 21,
    asks_country: true,
    declared: { age: 21, country: 'DE' },
    is_enough: true,
    blocked_because: null,
  })
})

test('a declared country that is blocked refuses bets and plans, never the ways out, and cannot be replaced at once', async () => {
  const [user, friend] = [await aRichPlayer(), await aRichPlayer()]
  expect(await declare(user, { age: 30, country: 'KP' })).toMatchObject({ status: 200 })
  for (const attempt of [bet(user), buy(user), topUp(user)])
    expect(await attempt).toMatchObject(refused('country_blocked'))
  const { data } = await table.call(colour.activeGame, {}, user.token)
  expect(data.closed_because).toContain('not available in your country (KP)')
  const another = await declare(user, { age: 30, country: 'DE' })
  expect(another).toMatchObject({ status: 403, body: { code: 'limit_reached', field: 'country' } })
  expect(await bet(user)).toMatchObject(refused('country_blocked'))
  // Everything that gets money and data out works.
  const token = { token: user.token }
  const move = { direction: 'withdraw', source: 'wallet', amount: '5' }
  const transfer = { to_user: friend.username, amount: '5', source: 'wallet' as const }
  const calls: [string, object][] = [
    ['/betwallet/', move],
    ['/internal_transfer/', { ...transfer, ...(await signTransfer(user, transfer)) }],
    ['/withdraw_request/', await signedWithdrawal(user, '20')],
    ['/support/open/', { topic: 'money', subject: 'Help', text: 'I moved' }],
    ['/records/', {}],
  ]
  for (const [path, body] of calls) {
    const headers = { ...token, 'cf-ipcountry': 'KP', 'idempotency-key': path }
    expect((await table.send('POST', path, body, headers)).status, path).toBe(200)
  }
})

test('a user who moved can declare another country after 30 days', async () => {
  const user = await aRichPlayer()
  await declare(user, { age: 21, country: 'US' })
  await runAsOwner(
    table.database.ownerUrl,
    `set session_replication_role = replica;
     update declarations set declared_at = declared_at - interval '30 days' where user_number = ${user.number}`,
  )
  expect((await declare(user, { age: 21, country: 'DE' })).status).toBe(200)
  expect((await bet(user)).status).toBe(200)
})

test('the country that the proxy names is refused too, whatever was declared and however it is written', async () => {
  const user = await aRichPlayer()
  await declare(user, { age: 21, country: 'DE' })
  for (const code of ['US', 'us', ' kp '])
    expect(await bet(user, { 'CF-IPCountry': code })).toMatchObject(refused('country_blocked'))
  expect(await buy(user, { 'cf-ipcountry': 'US' })).toMatchObject(refused('country_blocked'))
  expect((await bet(user, { 'cf-ipcountry': 'DE' })).status).toBe(200)
  // A header that the operator has not named means nothing.
  expect((await bet(user, { 'x-country': 'US' })).status).toBe(200)
})

test('a repeated bet gets its stored reply, also after the user is blocked', async () => {
  const user = await aRichPlayer()
  await declare(user, { age: 21, country: 'DE' })
  const key = { 'idempotency-key': 'one-bet' }
  const first = await bet(user, key)
  expect(await bet(user, { ...key, 'cf-ipcountry': 'US' })).toEqual(first)
})

test('declarations are kept, stored once for the same answer, exported, and cannot be changed or deleted', async () => {
  const user = await aRichPlayer()
  const same = await Promise.all([1, 2, 3].map(() => declare(user, { age: 21, country: 'DE' })))
  expect(same.map(({ status }) => status)).toEqual([200, 200, 200])
  const { data } = await table.call(records.list, {}, user.token)
  expect(data['declarations']).toMatchObject([{ user_number: user.number, age: 21, country: 'DE' }])
  for (const change of ['update declarations set age = 99', 'delete from declarations', 'truncate declarations'])
    await expect(runAsOwner(table.database.ownerUrl, change)).rejects.toThrow(/append-only|denied|never/i)
  await expect(sql`update declarations set country = 'FR'`.execute(table.context.db)).rejects.toThrow(
    'permission denied',
  )
})

test('without settings every call works undeclared, and the app asks for 18 only', async () => {
  const api = await createTestTable()
  try {
    await api.open(3_600)
    const user = await aPlayer(api)
    await giveWallet(api, user.number, '100')
    expect((await bet(user, { 'cf-ipcountry': 'KP' }, api)).status).toBe(200)
    expect((await buy(user, {}, api)).status).toBe(200)
    const asked = await api.call(declarations.read, {}, user.token)
    expect(asked.data).toMatchObject({ minimum_age: 18, asks_country: false, is_enough: false, blocked_because: null })
    await declare(user, { age: 18 }, api)
    expect((await api.call(declarations.read, {}, user.token)).data).toMatchObject({ is_enough: true })
  } finally {
    await api.close()
  }
})

test('a higher minimum age asks again', async () => {
  const database = table.database
  const user = await aRichPlayer()
  await declare(user, { age: 21, country: 'DE' })
  const older = await createTestApi({
    settings: { ...RULES, MINIMUM_AGE: '25' },
    database: { ...database, drop: async () => {} },
  })
  expect(await buy(user, {}, older)).toMatchObject(refused('declaration_required'))
  await older.close()
})

test('what a blocked buyer paid on chain arrives in the wallet balance, and the audit holds', async () => {
  const scene = await startPurchaseScene(RULES)
  try {
    const payer = await scene.aPayer()
    await scene.api.send('POST', '/declare/', { age: 21, country: 'US' }, { token: payer.token })
    const hash = await scene.node.pay(payer.key, parseUsdt('100'))
    expect(await scene.claim(payer, hash)).toMatchObject({
      ...refused('country_blocked'),
      body: { Msg: expect.stringContaining('A payment you sent goes to your wallet balance.') },
    })
    await scene.settle()
    await scene.expireGrace()
    expect(await scene.held(payer)).toEqual({ ...NOTHING, wallet: '100' })
    expect(await scene.listFindings()).toEqual([])
  } finally {
    await scene.stop()
  }
})

test('the refused attempts of these tests moved no money', async () => {
  const user = await aRichPlayer()
  const before = await balancesOf(table, user)
  await Promise.all([bet(user), buy(user), topUp(user)])
  expect(await balancesOf(table, user)).toEqual(before)
})
