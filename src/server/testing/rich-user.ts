import { colour } from '../../protocol/colour.ts'
import { declarations } from '../../protocol/declarations.ts'
import { news } from '../../protocol/news.ts'
import { choicesOf } from '../../protocol/news-choices.ts'
import { plans } from '../../protocol/plans.ts'
import { type QuizGame, quiz } from '../../protocol/quiz.ts'
import { shares } from '../../protocol/shares.ts'
import { support } from '../../protocol/support.ts'
import { wallet } from '../../protocol/wallet.ts'
import { wellness } from '../../protocol/wellness.ts'
import { newId } from '../platform/db.ts'
import { aUser, createTestWallet } from './api.ts'
import type { PaymentChain } from './chain.ts'
import type { TestTable } from './colour.ts'
import { aDepositor, type TestUser, transfer, withdraw, workOnce } from './payments.ts'
import { fundPool, giveWallet, purchaseBody } from './plans.ts'
import { recordRoot } from './roots.ts'
import { askForWallet } from './wallet-changes.ts'

/** A user who has used every feature, so that each table with rows about users has some about this one. */
export async function aRichUser(table: TestTable, node: PaymentChain): Promise<TestUser> {
  const user = await aDepositor(table, node, '1000')
  await table.call(declarations.declare, { age: 18 }, user.token)
  await moveMoney(table, user)
  await withdraw(table, user, '25')
  for (let pass = 0; pass < 4; pass++) await workOnce(table, node)
  await playColour(table, user)
  await liveWell(table, user)
  await playQuiz(table, user)
  await table.call(support.open, { topic: 'other', subject: 'A question', text: 'How does it work?' }, user.token)
  await table.call(wallet.depositAddress, {}, user.token)
  await askForWallet(table, user, createTestWallet())
  await table.call(news.choose, { choices: choicesOf(), quiet: null }, user.token)
  await recordRoot(table.context)
  await addRewards(table, user)
  return user
}

/** A plan, transfers in both directions, and an invited user who buys a plan. */
async function moveMoney(table: TestTable, user: TestUser): Promise<void> {
  await fundPool(table, 'reward_pool', '100')
  await table.call(plans.buy, purchaseBody(table, user, '100', 2), user.token)
  const friend = await aUser(table, { referralCode: user.referralCode })
  await giveWallet(table, friend.number, '300')
  await table.call(plans.buy, purchaseBody(table, friend, '100', 2), friend.token)
  await transfer(table, user, friend, '10')
  await transfer(table, friend, user, '5')
}

async function playColour(table: TestTable, { token }: TestUser): Promise<void> {
  await table.call(colour.wallet, { direction: 'deposit', amount: '50', source: 'wallet' }, token)
  const round = await table.open()
  await table.call(colour.placeBet, { amount: '2', color: 'green' }, token)
  await table.closeBetting(round)
  await table.draw(round)
  await table.call(colour.setLimit, { kind: 'loss', amount: '10' }, token)
  await table.call(colour.exclude, { days: 30 }, token)
}

async function liveWell(table: TestTable, { token }: TestUser): Promise<void> {
  await table.call(wellness.zone, { zone: 'Europe/Paris' }, token)
  await table.call(wellness.log, { kind: 'steps', steps: 12_000 }, token)
  await table.call(wellness.log, { kind: 'workout', workout: 'run', minutes: 60 }, token)
  await table.call(wellness.breathe, { exercise: 'box' }, token)
  await table.call(wellness.rest, { weekdays: [0] }, token)
  await table.call(wellness.joinFriends, { join: true }, token)
  await table.call(shares.create, { kind: 'rings' }, token)
}

/** One game that ended, and one that is open. */
async function playQuiz(table: TestTable, { token }: TestUser): Promise<void> {
  const wire = ({ gameId }: QuizGame) => `game_${gameId}`
  const { game } = await table.call(quiz.start, { token, topic: 'sleep' }, token)
  await table.call(quiz.deal, { id: wire(game) }, token)
  await table.call(quiz.end, { id: wire(game) }, token)
  const open = await table.call(quiz.start, { token, topic: 'sleep' }, token)
  await table.call(quiz.deal, { id: wire(open.game) }, token)
}

/** What comes only with time: rewards of a day and of a month, a held reward, a best score, channels and what was sent. */
async function addRewards({ owner }: TestTable, { number }: TestUser): Promise<void> {
  const rows = [
    `insert into transfer_allowances (from_number, day, amount) select $1, '2026-01-01', 1 where $2::uuid is not null`,
    `insert into daily_rewards (earned_on, user_number, lot_number, amount, health, reference)
      select started_on + 1, user_number, number, 100, 5, $2 from plan_lots where user_number = $1`,
    `insert into reward_deferrals (earned_on, user_number, lot_number, part, amount)
      select earned_on, user_number, lot_number, 'reward', 100 from daily_rewards where user_number = $1 and $2::uuid is not null`,
    `insert into royalty_shares (id, month, user_number, rank, volume, weight, amount) values ($2, '2026-01-01', $1, 'Silver', 1, 1, 1)`,
    `insert into referral_holds (id, order_id, level, user_number, amount, kinds, flags)
      select $2, order_id, level, user_number, 1, '{funding}', '{}' from upline_rewards where user_number = $1 limit 1`,
    `insert into quiz_bests (period, starts_on, user_number, score, game_id, reached_at)
      select 'day', '2026-01-01', $1, 10, id, now() from quiz_games where user_number = $1 and $2::uuid is not null limit 1`,
    `insert into news_devices (id, user_number, session_id, endpoint, p256dh, auth)
      select $2, $1, id, 'https://push.example.com', 'key', 'secret' from sessions where user_number = $1 limit 1`,
    `insert into news_emails (user_number, address, stop_key, confirmed_at) values ($1, 'a@example.com', $2::uuid, now())`,
    `insert into news_chats (user_number, chat_id, added_at) select $1, 1, now() where $2::uuid is not null`,
    `insert into news_deliveries (id, user_number, news_id, channel, created_at)
      select $2, $1, id, 'email', now() from news where user_number = $1 limit 1`,
  ]
  // Another connection of the pool would not have the setting: the triggers that only let the worker insert are off.
  const client = await owner.connect()
  try {
    await client.query('set session_replication_role = replica')
    for (const row of rows) await client.query(row, [number, newId()])
    await client.query('set session_replication_role = origin')
  } finally {
    client.release()
  }
}
