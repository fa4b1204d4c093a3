import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { colour } from '../../src/protocol/colour.ts'
import { micro, parseUsdt } from '../../src/protocol/money.ts'
import { plans } from '../../src/protocol/plans.ts'
import { quiz } from '../../src/protocol/quiz.ts'
import { support } from '../../src/protocol/support.ts'
import { addDays, dayOf } from '../../src/protocol/time.ts'
import { wellness } from '../../src/protocol/wellness.ts'
import { systemAccount, userAccount } from '../../src/server/ledger/accounts.ts'
import { post } from '../../src/server/ledger/post.ts'
import { newId, transaction } from '../../src/server/platform/db.ts'
import { aUser } from '../../src/server/testing/api.ts'
import type { PaymentChain } from '../../src/server/testing/chain.ts'
import { aPlayer, type TestTable } from '../../src/server/testing/colour.ts'
import { signedWithdrawal, signTransfer } from '../../src/server/testing/payments.ts'
import { aUserWithPlan, fundPool, giveRewards, giveWallet, purchaseBody } from '../../src/server/testing/plans.ts'
import { newsExamples } from './news-examples.ts'
import { shareExamples } from './share-examples.ts'
import { userExamples } from './user-examples.ts'

export type Scene = { api: TestTable; node: PaymentChain }

/** A repeat without a key: `repeat` has no further effect, `new` takes effect again, `refused` is an error. */
type WithoutKey = 'repeat' | 'new' | 'refused'
export type Example = {
  token: string
  /** The value of {id} in the path. */
  id?: string
  body: object
  /** A different request with the same key. Undefined if the route has no input to vary. */
  other?: { id?: string; body: object }
  withoutKey: WithoutKey
}

/** One request for every route that changes something, by its name in the route table. */
export const examples: Record<string, (scene: Scene) => Promise<Example>> = {
  'referrals.privacy': async ({ api }) => ({
    token: (await aUser(api)).token,
    body: { hide: false },
    other: { body: { hide: true } },
    withoutKey: 'repeat',
  }),
  'plans.buy': async ({ api }) => {
    const user = await aUser(api)
    await giveWallet(api, user.number, '1000')
    const body = purchaseBody(api, user, '100', 2)
    return { token: user.token, body, other: { body: { ...body, usdt_amount: '101' } }, withoutKey: 'repeat' }
  },
  'plans.upline': async ({ api }) => {
    const user = await aUserWithPlan(api, '100')
    await giveRewards(api, user.number, 'reward', '50')
    await api.call(plans.buy, purchaseBody(api, user, '45', 5), user.token)
    const other = { body: { purchase_amount: '51' } }
    return { token: user.token, body: { purchase_amount: '50' }, other, withoutKey: 'repeat' }
  },
  'rewards.claim': async ({ api }) => {
    const user = await aUser(api)
    const other = { body: { user_id: `user_${(await aUser(api)).id}` } }
    return { token: user.token, body: { user_id: `user_${user.id}` }, other, withoutKey: 'repeat' }
  },
  'rewards.royalty': async ({ api }) => {
    const user = await aUser(api)
    await giveRoyaltyShare(api, user.number)
    return { token: user.token, body: { force_check: true }, withoutKey: 'repeat' }
  },
  'withdrawals.request': async ({ api }) => {
    const user = await aUser(api)
    await giveWallet(api, user.number, '100')
    const other = { body: await signedWithdrawal(user, '21') }
    return { token: user.token, body: await signedWithdrawal(user, '20'), other, withoutKey: 'repeat' }
  },
  'transfers.send': async ({ api }) => {
    const [user, friend] = [await aUser(api), await aUser(api)]
    await giveWallet(api, user.number, '100')
    const signed = async (amount: string) => {
      const body = { to_user: friend.username, amount, source: 'wallet' } as const
      return { ...body, ...(await signTransfer(user, body)) }
    }
    return { token: user.token, body: await signed('5'), other: { body: await signed('6') }, withoutKey: 'refused' }
  },
  'wallet.deposit': async ({ api, node }) => {
    const user = await aUser(api)
    const amount = parseUsdt('50')
    await node.give(user.wallet.address, micro(amount * 2n))
    const pay = () => node.pay(user.wallet.privateKey, amount)
    const [first, second] = [await pay(), await pay()]
    await node.mine(1)
    const body = { trans_hash: first, amount: '50' }
    return { token: user.token, body, other: { body: { ...body, trans_hash: second } }, withoutKey: 'repeat' }
  },
  'wellness.log': async ({ api }) => ({
    token: (await aUser(api)).token,
    body: { kind: 'steps', steps: 900 },
    other: { body: { kind: 'steps', steps: 901 } },
    withoutKey: 'new',
  }),
  'wellness.remove': async ({ api }) => {
    const { token } = await aUser(api)
    const log = (steps: number) => api.call(wellness.log, { kind: 'steps', steps }, token)
    await log(100)
    const { data } = await log(200)
    const [first, second] = data.entries.map(({ id }) => ({ entry_id: `entry_${id}` }))
    return { token, body: first ?? {}, other: { body: second ?? {} }, withoutKey: 'refused' }
  },
  'wellness.breathe': async ({ api }) => ({
    token: (await aUser(api)).token,
    body: { exercise: 'box' },
    other: { body: { exercise: 'coherent' } },
    withoutKey: 'new',
  }),
  'wellness.finishBreathing': async ({ api }) => {
    const { token } = await aUser(api)
    const start = async () => {
      const { breathing_id } = await api.call(wellness.breathe, { exercise: 'box' }, token)
      return { breathing_id: `breathing_${breathing_id}` }
    }
    const [first, second] = [await start(), await start()]
    await api.owner.query(
      `update wellness_breathing set started_at = started_at - make_interval(secs => length_seconds)`,
    )
    return { token, body: first, other: { body: second }, withoutKey: 'refused' }
  },
  'wellness.rest': async ({ api }) => ({
    token: (await aUser(api)).token,
    body: { weekdays: [6] },
    other: { body: { weekdays: [5] } },
    withoutKey: 'repeat',
  }),
  'wellness.zone': async ({ api }) => ({
    token: (await aUser(api)).token,
    body: { zone: 'Asia/Tokyo' },
    other: { body: { zone: 'Europe/Berlin' } },
    withoutKey: 'repeat',
  }),
  'wellness.import': async ({ api }) => {
    const days = (steps: number) => [{ day: addDays(dayOf(new Date()), -2), steps, workout_minutes: 0 }]
    const body = { source: 'gpx', days: days(4_000) }
    const other = { body: { ...body, days: days(5_000) } }
    return { token: (await aUser(api)).token, body, other, withoutKey: 'repeat' }
  },
  'wellness.joinFriends': async ({ api }) => ({
    token: (await aUser(api)).token,
    body: { join: true },
    other: { body: { join: false } },
    withoutKey: 'repeat',
  }),
  'quiz.start': async ({ api }) => {
    const { token } = await aUser(api)
    const other = { body: { token, topic: 'sleep' } }
    return { token, body: { token, topic: 'activity' }, other, withoutKey: 'new' }
  },
  'quiz.deal': async ({ api }) => ({ ...(await aGame(api)), body: {}, withoutKey: 'repeat' }),
  // The specification's plain score. A shot with an answer would have to wait for the minimum reading time.
  'quiz.shoot': async ({ api }) => {
    const game = await aGame(api)
    return { ...game, body: { score: 0 }, other: { id: game.id, body: { score: 1 } }, withoutKey: 'repeat' }
  },
  'quiz.power': async ({ api }) => {
    const game = await aDealtGame(api)
    const other = { id: game.id, body: { question: 1, power: 'slow' } }
    return { ...game, body: { question: 1, power: 'fifty' }, other, withoutKey: 'refused' }
  },
  'quiz.pause': async ({ api }) => ({ ...(await aDealtGame(api)), body: { question: 1 }, withoutKey: 'refused' }),
  'quiz.end': async ({ api }) => ({ ...(await aGame(api)), body: {}, withoutKey: 'repeat' }),
  'quiz.visibility': async ({ api }) => ({
    token: (await aUser(api)).token,
    body: { hide: true },
    other: { body: { hide: false } },
    withoutKey: 'repeat',
  }),
  'quiz.guestKeep': async ({ api }) => {
    const [{ pass }, another] = [await api.call(quiz.guestStart, {}), await api.call(quiz.guestStart, {})]
    return {
      token: (await aUser(api)).token,
      body: { pass },
      other: { body: { pass: another.pass } },
      withoutKey: 'repeat',
    }
  },
  ...newsExamples,
  ...shareExamples,
  ...userExamples,
  'colour.placeBet': async ({ api }) => {
    const { token } = await aPlayer(api)
    const body = { amount: '1', color: 'green' }
    return { token, body, other: { body: { ...body, color: 'red' } }, withoutKey: 'new' }
  },
  'colour.upline': async ({ api }) => {
    const { token } = await aPlayer(api)
    for (const amount of ['2', '3']) await api.call(colour.placeBet, { amount, color: 'red' }, token)
    return { token, body: { amount: '2' }, other: { body: { amount: '3' } }, withoutKey: 'repeat' }
  },
  'colour.wallet': async ({ api }) => {
    const { token } = await aPlayer(api)
    const body = { direction: 'withdraw', amount: '2', source: 'wallet' }
    return { token, body, other: { body: { ...body, amount: '3' } }, withoutKey: 'new' }
  },
  'colour.setLimit': async ({ api }) => {
    const { token } = await aUser(api)
    const body = { kind: 'stake', amount: '50' }
    return { token, body, other: { body: { ...body, amount: '40' } }, withoutKey: 'new' }
  },
  'colour.exclude': async ({ api }) => ({
    token: (await aUser(api)).token,
    body: { days: 1 },
    other: { body: { days: 7 } },
    withoutKey: 'new',
  }),
  'support.releaseHealth': async ({ api }) => {
    const user = await aUser(api)
    await giveHealth(api, user.number)
    const other = { body: { withdraw_amount: '2' } }
    return { token: user.token, body: { withdraw_amount: '1' }, other, withoutKey: 'new' }
  },
  'support.open': async ({ api }) => {
    const body = { topic: 'other', subject: 'A question', text: 'How do I log a swim?' }
    const other = { body: { ...body, text: 'How do I log a ride?' } }
    return { token: (await aUser(api)).token, body, other, withoutKey: 'new' }
  },
  'support.appeal': async ({ api }) => {
    const { token, number } = await aUser(api)
    const hold_id = `hold_${await holdReward(api, number)}`
    const other = { body: { hold_id, text: 'Other words' } }
    return { token, body: { hold_id, text: 'This is my brother' }, other, withoutKey: 'refused' }
  },
  'support.reply': async ({ api }) => {
    const { token, request_id } = await aRequest(api)
    const other = { body: { request_id, text: 'Other words' } }
    return { token, body: { request_id, text: 'One more thing' }, other, withoutKey: 'new' }
  },
  'support.close': async ({ api }) => {
    const { token, request_id } = await aRequest(api)
    return { token, body: { request_id }, withoutKey: 'repeat' }
  },
}

async function aGame(api: TestTable) {
  const { token } = await aUser(api)
  const { game } = await api.call(quiz.start, { token }, token)
  return { token, id: `game_${game.gameId}` }
}

async function aDealtGame(api: TestTable) {
  const game = await aGame(api)
  await api.call(quiz.deal, { id: game.id }, game.token)
  return game
}

async function aRequest(api: TestTable) {
  const { token } = await aUser(api)
  const { request } = await api.call(support.open, { topic: 'other', subject: 'A question', text: 'What now?' }, token)
  return { token, request_id: `request_${request.id}` }
}

/** Gives this user a share of last month's royalty, as if the month had been closed. */
async function giveRoyaltyShare(api: TestTable, userNumber: number): Promise<void> {
  await fundPool(api, 'royalty_pool', '10')
  const month = sql`(date_trunc('month', now() at time zone 'utc') - interval '1 month')::date`
  await sql`insert into royalty_months (month, budget, weight, claimable_until)
    values (${month}, 10000000, 1, (${month} + interval '2 months')::date - 1) on conflict do nothing`.execute(
    api.context.db,
  )
  await sql`insert into royalty_shares (id, month, user_number, rank, volume, weight, amount)
    values (${newId()}, ${month}, ${userNumber}, 'Bronze', 5000000000, 1, 1000000)`.execute(api.context.db)
}

/** Gives a health balance and the ten challenges needed to release it. */
async function giveHealth(api: TestTable, userNumber: number): Promise<void> {
  const amount = parseUsdt('5')
  await fundPool(api, 'health_pool', '5')
  const movements = [{ from: systemAccount('health_pool'), to: userAccount(userNumber, 'health'), amount }]
  await transaction(api.context.db, async (tx) => {
    await post(tx, { kind: 'daily_reward', reference: newId(), movements })
    await sql`insert into wellness_completions (user_number, day_on, pillar, completed_at)
      select ${userNumber}::int, (now() at time zone 'utc')::date - day, 'activity', now()
      from generate_series(0, 9) day`.execute(tx)
  })
}

/** Puts a reward of this user on hold. It comes from another user's purchase. */
async function holdReward(api: TestTable, userNumber: number): Promise<string> {
  const buyer = await aUserWithPlan(api, '100')
  const id = newId()
  await sql`
    with bought as (select id from plan_orders where user_number = ${buyer.number}),
      earned as (insert into upline_rewards (order_id, level, user_number, percent, amount)
        select id, 1, ${userNumber}::int, 5, 5000000 from bought returning order_id)
    insert into referral_holds (id, order_id, level, user_number, amount, kinds, flags)
    select ${id}, order_id, 1, ${userNumber}::int, 5000000, array['device', 'funding'], '{}' from earned`.execute(
    api.context.db,
  )
  return id
}

export const newKey = () => randomBytes(8).toString('hex')
