import { type RawBuilder, sql } from 'kysely'
import type { User } from '../../context.ts'
import { userAccount, userAccountKinds } from '../../ledger/accounts.ts'

/** The rows of one table that are about a user. `omit` lists columns that are secret, or about other users. */
export type Part = {
  table: string
  where: (user: User) => RawBuilder<unknown>
  /** The key of a row within the part. The next reply continues after it, in the order of an index. */
  order: readonly string[]
  omit?: readonly string[]
  /** Fields computed from the row `t`, such as a name in place of an internal number. */
  add?: RawBuilder<unknown>
}

const own = (table: string, order: readonly string[], omit?: readonly string[]): Part => ({
  table,
  order,
  where: ({ number }) => sql`t.user_number = ${number}`,
  ...(omit && { omit }),
})

/** Joins on a list of days, because the day comes first in the primary key. */
const rewardDays = ({ number }: User) => sql`t.user_number = ${number} and t.earned_on in (
  select day::date from plan_lots, generate_series(started_on + 1, matures_on, interval '1 day') as day
  where user_number = ${number})`

/** Also the former ones. */
const wallets = ({ number }: User) => sql`select wallet_address from user_wallets where user_number = ${number}`

/** What the user announced, and what operators credited to them. */
const claims = ({ number }: User) =>
  sql`(t.user_number = ${number} or (t.product = 'operator' and t.details ->> 'user' = ${String(number)}))`

const payments = (user: User) => sql`
  select id from chain_payments where direction = 'in' and from_address in (${wallets(user)})
  union select p.id from chain_deposit_addresses d join chain_payments p on p.from_address = d.address
    where d.user_number = ${user.number} and p.direction = 'in'
  union select b.payment_id from chain_claims t join chain_bookings b on b.claim_id = t.id where ${claims(user)}
  union select p.id from withdrawals w join chain_payments p on p.tx_hash = w.tx_hash where w.user_number = ${user.number}`

const names = sql`jsonb_build_object(
  'from', (select username from users where number = t.from_number),
  'to', (select username from users where number = t.to_number))`

/** By name. Two parts can come from the same table. */
export const parts: Record<string, Part> = {
  users: {
    table: 'users',
    where: ({ number }) => sql`t.number = ${number}`,
    order: ['number'],
    omit: ['sponsor_number', 'path'],
    add: sql`jsonb_build_object('sponsor', (select username from users where number = t.sponsor_number))`,
  },
  news: own('news', ['id'], ['planned']),
  declarations: own('declarations', ['declared_at']),
  wallet_changes: own('wallet_changes', ['asked_at', 'id']),
  sessions: own('sessions', ['created_at', 'id'], ['token_hash']),
  ledger_entries: {
    table: 'ledger_entries',
    where: ({ number }) =>
      sql`t.account_id in (${sql.join(userAccountKinds.map((kind) => userAccount(number, kind)))})`,
    order: ['account_id', 'version'],
    add: sql`jsonb_build_object('account', (select name from ledger_account_kinds where code = t.account_id % 16))`,
  },
  chain_claims: { table: 'chain_claims', where: claims, order: ['claimed_at', 'id'] },
  chain_deposit_addresses: own('chain_deposit_addresses', ['address']),
  chain_payments: { table: 'chain_payments', where: (user) => sql`t.id in (${payments(user)})`, order: ['id'] },
  chain_bookings: {
    table: 'chain_bookings',
    where: (user) => sql`t.payment_id in (${payments(user)})`,
    order: ['payment_id'],
  },
  vault_payments: {
    table: 'vault_payments',
    where: (user) => sql`t.wallet in (${wallets(user)})`,
    order: ['block', 'id'],
  },
  plan_orders: own('plan_orders', ['ordered_at', 'id']),
  plan_lots: own('plan_lots', ['started_on', 'number']),
  daily_rewards: { table: 'daily_rewards', where: rewardDays, order: ['earned_on', 'lot_number'] },
  reward_deferrals: { table: 'reward_deferrals', where: rewardDays, order: ['earned_on', 'lot_number', 'part'] },
  upline_rewards: own('upline_rewards', ['order_id', 'level'], ['order_id']),
  referral_holds: own('referral_holds', ['held_at', 'id'], ['order_id', 'flags']),
  royalty_shares: own('royalty_shares', ['month', 'id']),
  withdrawals: own('withdrawals', ['requested_at', 'id']),
  withdrawal_changes: {
    table: 'withdrawal_changes',
    where: ({ number }) => sql`t.withdrawal_id in (select id from withdrawals where user_number = ${number})`,
    order: ['withdrawal_id', 'ordinal'],
  },
  transfers_sent: {
    table: 'transfers',
    where: ({ number }) => sql`t.from_number = ${number}`,
    order: ['sent_at', 'id'],
    omit: ['from_number', 'to_number'],
    add: names,
  },
  transfers_received: {
    table: 'transfers',
    where: ({ number }) => sql`t.to_number = ${number}`,
    order: ['sent_at', 'id'],
    omit: ['from_number', 'to_number', 'nonce', 'deadline', 'signature'],
    add: names,
  },
  transfer_allowances: {
    table: 'transfer_allowances',
    where: ({ number }) => sql`t.from_number = ${number}`,
    order: ['day'],
  },
  colour_bets: own('colour_bets', ['placed_at', 'id']),
  colour_daily_totals: own('colour_daily_totals', ['day']),
  colour_wallet_moves: own('colour_wallet_moves', ['moved_at', 'id']),
  colour_limits: own('colour_limits', ['id']),
  colour_exclusions: own('colour_exclusions', ['id']),
  wellness_entries: own('wellness_entries', ['created_at', 'id']),
  wellness_completions: own('wellness_completions', ['day_on', 'pillar']),
  wellness_breathing: own('wellness_breathing', ['started_at', 'id']),
  wellness_rest_plans: own('wellness_rest_plans', ['from_on']),
  wellness_friends: own('wellness_friends', ['user_number']),
  wellness_zones: own('wellness_zones', ['changed_at']),
  point_awards: own('point_awards', ['source', 'reference']),
  // The seeds and the dealt questions of an open game would give its answers away.
  quiz_games: own('quiz_games', ['started_at', 'id'], ['seed', 'deal_seed']),
  quiz_events: {
    table: 'quiz_events',
    where: ({ number }) =>
      sql`t.game_id in (select id from quiz_games where user_number = ${number} and ended_at is not null)`,
    order: ['game_id', 'number'],
  },
  news_settings: own('news_settings', ['user_number']),
  news_devices: own('news_devices', ['added_at', 'id'], ['endpoint', 'p256dh', 'auth']),
  news_emails: own('news_emails', ['user_number'], ['stop_key']),
  news_chats: own('news_chats', ['user_number']),
  news_deliveries: own('news_deliveries', ['news_id', 'id']),
  shares: own('shares', ['created_at', 'link']),
  quiz_bests: own('quiz_bests', ['period', 'starts_on']),
  support_requests: own('support_requests', ['created_at', 'id']),
  support_messages: {
    table: 'support_messages',
    where: ({ number }) => sql`t.request_id in (select id from support_requests where user_number = ${number})`,
    order: ['request_id', 'id'],
  },
  leaf_keys: own('leaf_keys', ['user_number']),
}
