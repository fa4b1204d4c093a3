import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser, createTestApi, type TestApi } from '../../src/server/testing/api.ts'
import { buyPlan, giveRewards, giveWallet, purchaseBody, type TestUser } from '../../src/server/testing/plans.ts'

/** Checks the fields and constants of the specification in replies, as they are on the wire. */
let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
})
afterAll(() => api.close())

const post = async (user: TestUser, path: string, body?: object) => api.send('POST', path, body, { token: user.token })

/** A user with a plan of this amount and 200 USDT in each reward balance. */
async function aMember(planAmount: string): Promise<TestUser> {
  const user = await aUser(api)
  await buyPlan(api, user, planAmount)
  for (const account of ['reward', 'referral'] as const) await giveRewards(api, user.number, account, '200')
  return user
}

async function detailsOf(user: TestUser): Promise<Record<string, unknown>> {
  return (await post(user, '/detail/')).body['data'] as Record<string, unknown>
}

test('signing in replies with the stored user entry', async () => {
  const user = await aUser(api)
  const { body } = await api.send('POST', '/auth/login/', await user.wallet.signIn(api))
  const { status, Msg, ...entry } = body
  expect(Object.keys(entry)).toEqual(['token', 'id', 'wallet_address', 'username', 'level'])
  expect(entry).toMatchObject({ wallet_address: user.wallet.address, username: user.username, level: 0 })
})

test('the details begin with the fields of the specification, in its order', async () => {
  const details = await detailsOf(await aMember('100'))
  expect(Object.keys(details).slice(0, 10)).toEqual([
    ...['planreward', 'planreff', 'planamount', 'max_amount', 'minimumamount', 'withdrawfee'],
    ...['wallet_address', 'support', 'TWA', 'BWA'],
  ])
})

test('planreward, planreff and planamount are the daily rewards, the referral rewards and the invested amount', async () => {
  const user = await aUser(api)
  await buyPlan(api, user, '100')
  await giveRewards(api, user.number, 'reward', '31')
  await giveRewards(api, user.number, 'referral', '22')
  expect(await detailsOf(user)).toMatchObject({ planreward: '31', planreff: '22', planamount: '100' })
})

test('TWA is everything that can be withdrawn, and BWA at most what may leave today', async () => {
  const user = await aMember('100')
  await giveWallet(api, user.number, '7')
  expect(await detailsOf(user)).toMatchObject({ TWA: '407', BWA: '407' })
  await giveWallet(api, user.number, '5000')
  expect(await detailsOf(user)).toMatchObject({ TWA: '5407', BWA: '5000' })
})

test('max_amount is the cap on plans and minimumamount the smallest re top up', async () => {
  const user = await aMember('4990')
  expect(await detailsOf(user)).toMatchObject({ max_amount: '5000', minimumamount: '10' })
  const reply = async (amount: string) => (await post(user, '/gamebuyplan/', purchaseBody(api, user, amount, 5))).body
  expect((await reply('9.000001')).Msg).toBe('Maximum investment You can 10 USDT')
  expect((await reply('8.999999')).Msg).toBe('Minimum  amount is 10 USDT')
  expect((await reply('9')).status).toBe('success')
})

test('withdrawfee is the percentage that a withdrawal costs', async () => {
  const user = await aUser(api)
  const { withdrawfee } = await detailsOf(user)
  const { data } = (await post(user, '/withdraw_terms/', {})).body as unknown as { data: { fee_percent: number } }
  expect([withdrawfee, data.fee_percent]).toEqual([5, 5])
})

test('wallet_address is the wallet of the user and support the address that receives payments', async () => {
  const user = await aUser(api)
  const chain = await api.send('GET', '/chain/')
  const expected = { wallet_address: user.wallet.address, support: chain.body['support'] }
  expect(await detailsOf(user)).toMatchObject(expected)
  expect(expected.support).toBe(api.context.config.chain.vault)
})

test('a row of the plan history begins with Plan_name, Plan_Amount and start_date', async () => {
  const user = await aMember('100')
  const { body } = await post(user, '/planhistory/', { pageno: 1 })
  const [row] = body['data'] as Record<string, string>[]
  expect(Object.keys(row ?? {}).slice(0, 3)).toEqual(['Plan_name', 'Plan_Amount', 'start_date'])
  expect(row).toMatchObject({ Plan_name: 'USDT Active', Plan_Amount: '100' })
  expect(new Date(row?.['start_date'] ?? '').toISOString()).toBe(row?.['start_date'])
})

test('a game has a gameId and a score: it is started, gets a shot with a score, and ends', async () => {
  const user = await aUser(api)
  const gameOf = ({ body }: { body: object }) =>
    (body as { game: { gameId: string; score: number; end: unknown } }).game
  const started = gameOf(await api.send('POST', '/game/start/', { token: user.token }))
  expect(started).toMatchObject({ gameId: expect.stringMatching(/^game_/), score: 0, end: null })
  const path = `/game/${started.gameId}`
  const shot = gameOf(await post(user, `${path}/shoot/`, { score: 0 }))
  expect(shot).toMatchObject({ gameId: started.gameId, score: 0 })
  expect(gameOf(await post(user, `${path}/end/`))).toMatchObject({ gameId: started.gameId, end: 'stopped' })
})

test('package type 5 is a daily re top up, and 7 its fee on a plan above 20 USDT', () =>
  expectTopUps('planreward', { main: 5, fee: 7 }))
test('package type 6 is a referral re top up, and 8 its fee on a plan above 20 USDT', () =>
  expectTopUps('planreff', { main: 6, fee: 8 }))

async function expectTopUps(account: string, type: { main: number; fee: number }): Promise<void> {
  const buy = async (user: TestUser, amount: string, packageType: number) =>
    (await post(user, '/gamebuyplan/', purchaseBody(api, user, amount, packageType))).body.status as string
  const small = await aMember('20')
  expect(await buy(small, '100', type.main)).toBe('success')
  expect(await detailsOf(small)).toMatchObject({ planamount: '120', [account]: '100', hold: '0' })

  const large = await aMember('20.000001')
  expect(await buy(large, '90', type.main)).toBe('success')
  expect(await detailsOf(large)).toMatchObject({ planamount: '110.000001', [account]: '100', hold: '10' })
  expect(await buy(large, '10', type.fee)).toBe('success')
  expect(await detailsOf(large)).toMatchObject({ planamount: '110.000001', [account]: '100', hold: '0' })
}

test('on the main network the chain is BSC and USDT has the 18 decimals it has there', async () => {
  const bsc = await createTestApi({ settings: { NETWORK: 'bsc', CHAIN_ID: '56' } })
  const { body } = await bsc.send('GET', '/chain/')
  await bsc.close()
  expect(body).toMatchObject({ network: 'bsc', chain_id: 56, tokens: { usdt: { decimals: 18 } } })
})
