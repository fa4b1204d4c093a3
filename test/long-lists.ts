import type pg from 'pg'

/** Rows of one list: how many, over how many days until now, and whose. */
export type Filling = { user: number; partner: number; rows: number; days: number }

const hex = (n: string, digits: number) => `lpad(to_hex(${n}), ${digits}, '0')`
const pick = (...values: string[]) => `(array['${values.join("', '")}'])[1 + abs(hashint4(n)) % ${values.length}]`

/** A time for each n of 1 … rows, in order, up to now. */
const timeOf = ({ rows, days }: Filling) => `now() - ${days} * interval '1 day' * (1 - n::float8 / ${rows})`
const seriesOf = ({ rows }: Filling) => `from generate_series(1, ${rows}) as n`

/** Entries of an account, transfers, withdrawals and orders. */
function money(filling: Filling): string[] {
  const { user, partner, rows } = filling
  const [at, series] = [timeOf(filling), seriesOf(filling)]
  return [
    // Times are up to an hour out of order.
    `insert into ledger_entries select ${user}::bigint * 16 + 3, n, 1, n, ${at} + interval '1 hour' * hashint4(n) / 2147483648.0,
       ${pick('transfer', 'withdrawal', 'chain_deposit', 'bet_deposit')}::ledger_kind, gen_random_uuid() ${series}`,
    `update ledger_accounts set version = ${rows} where id = ${user}::bigint * 16 + 3`,
    `insert into transfers (id, from_number, to_number, source, amount, sent_at, predates_signatures)
     select gen_random_uuid(), case n % 3 when 0 then ${user} else ${partner} end, case n % 3 when 0 then ${partner} else ${user} end,
       'wallet', n, ${at}, true ${series}`,
    `insert into withdrawals (id, user_number, source, amount, fee, to_address, nonce, deadline, signature, state, requested_at)
     select gen_random_uuid(), ${user}, 'wallet', 1000000, 5000, '0x' || ${hex('n', 40)}, ${hex('n', 32)}, now(), '0x',
       case when n > ${rows} - 10 then 'waiting' else ${pick('paid', 'paid', 'refused', 'refunded')} end, ${at} ${series}`,
    `insert into plan_orders (id, user_number, package_type, source, trans_hash, amount, fee, plan_before, fee_above,
       fee_percent, ordered_at, fee_completed_at, upline_completed_at)
     select gen_random_uuid(), ${user}, 5, 'daily', 'Internal-' || n, 1000, case n % 4 when 0 then 100 else 0 end,
       case n % 4 when 0 then 1000 else 0 end, 0, 10, ${at}, case n % 4 when 0 then now() end, now() ${series}`,
    `insert into plan_lots (order_id, user_number, tier, amount, daily_rate_ppm, started_on, matures_on, matured_at,
       maturity_reference, health_percent)
     select id, user_number, 'A', amount, 5000, ordered_at::date, ordered_at::date + 1, now(), gen_random_uuid(), 5
     from plan_orders where user_number = ${user} and trans_hash like 'Internal-%'`,
  ]
}

/** Daily rewards. */
function plans(filling: Filling): string[] {
  const { user, rows, days } = filling
  return [
    // As many plans as it takes, each with a reward on every day.
    `insert into plan_orders (id, user_number, package_type, source, trans_hash, amount, fee, plan_before, fee_above,
       fee_percent, ordered_at, upline_completed_at)
     select gen_random_uuid(), ${user}, 1, 'wallet', 'Plan-' || n, 1000, 0, 0, 0, 0, now() - ${days} * interval '1 day', now()
     from generate_series(1, ${rows} / ${days}) as n`,
    `insert into plan_lots (order_id, user_number, tier, amount, daily_rate_ppm, started_on, matures_on, health_percent)
     select id, user_number, 'A', 1000, 5000, (now() at time zone 'utc')::date - ${days}, (now() at time zone 'utc')::date + 1, 5
     from plan_orders where user_number = ${user} and trans_hash like 'Plan-%'`,
    `insert into daily_rewards
     select l.started_on + n, l.user_number, l.number, 5, 0, gen_random_uuid()
     from generate_series(1, ${days}) as n, plan_lots l join plan_orders o on o.id = l.order_id
     where l.user_number = ${user} and o.trans_hash like 'Plan-%' order by 1, 2, 3`,
    `insert into reward_deferrals (earned_on, user_number, lot_number, part, amount, paid_by, paid_at)
     select earned_on, user_number, lot_number, 'reward', amount, case when earned_on < now()::date - 4 then reference end,
       case when earned_on < now()::date - 4 then now() end
     from daily_rewards where user_number = ${user} and lot_number % 20 = 0`,
  ]
}

/** Rounds, bets and the bet wallet. */
function game(filling: Filling): string[] {
  const { user, rows } = filling
  const [at, series] = [timeOf(filling), seriesOf(filling)]
  return [
    `insert into colour_rounds (number, id, chain_id, opens_at, closes_at, state, block_number, block_hash, block_at, bound_at, seed,
       draw, outcome, finished_at, pays_green, pays_red, pays_violet, result_seconds)
     select n, gen_random_uuid(), 1, ${at}, ${at} + interval '45 seconds', state, 1, '0x' || ${hex('n', 64)}, ${at} + interval '1 minute',
       now(), case when state <> 'open' then decode(${hex('n', 64)}, 'hex') end,
       case when state = 'settled' then n % 100 end, case when state = 'settled' then 'red'::colour end,
       case when state <> 'open' then now() end, 2, 2, 5, 60
     from (select n, case when n in (${rows} - 7, ${rows} - 1, ${rows}) then 'open'
       else (array['settled', 'settled', 'refunded'])[1 + abs(hashint4(n)) % 3] end as state ${series}) as n
`,
    `insert into colour_bets select gen_random_uuid(), n, ${user}, ${pick('green', 'red', 'violet')}::colour, 1000, ${at}
     ${series}`,
    `insert into colour_wallet_moves select gen_random_uuid(), ${user}, ${pick('deposit', 'withdraw')}, n, ${at}
     ${series} where n % 4 > 0`,
    `insert into chain_claims (id, chain_id, tx_hash, user_number, product, amount, state, claimed_at, closed_at)
     select gen_random_uuid(), 1, '0x' || ${hex('n', 64)}, ${user}, 'bet', n, ${pick('credited', 'diverted', 'failed')},
       ${at}, now() ${series} where n % 4 = 0`,
  ]
}

/** Referral rewards, holds, and support requests. */
function team(filling: Filling): string[] {
  const { user, partner, rows } = filling
  const [at, series] = [timeOf(filling), seriesOf(filling)]
  return [
    // A reward of one of five levels every few minutes. Newer ones may be held.
    `insert into plan_orders (id, user_number, package_type, source, trans_hash, amount, fee, plan_before, fee_above,
       fee_percent, ordered_at, upline_completed_at)
     select ('00000000-0000-0000-0000-' || ${hex('n', 12)})::uuid, ${partner}, 1, 'wallet', 'Below-' || n, 1000, 0, 0, 0, 0, ${at}, ${at}
     ${series}`,
    `insert into upline_rewards
     select id, 1 + abs(hashint8(n)) % 5, ${user}, 5, 50, case when n <= ${rows} - 5 then ordered_at end
     from (select *, substr(trans_hash, 7)::bigint as n from plan_orders where user_number = ${partner} and trans_hash like 'Below-%') as o`,
    `insert into ledger_entries
     select ${user}::bigint * 16 + 2, row_number() over (order by order_id), 50, 50, paid_at, 'upline_reward', order_id
     from upline_rewards where user_number = ${user} and paid_at is not null`,
    `insert into referral_holds (id, order_id, level, user_number, amount, kinds, flags, state, held_at, decided_by, decided_at)
     select gen_random_uuid(), order_id, level, user_number, 50, '{funding}', '{}', state, paid_at,
       case when state <> 'held' then 'anna' end, case when state <> 'held' then now() end
     from (select *, case when n > ${rows} - 20 then 'held' else (array['released', 'forfeited', 'spent'])[1 + abs(hashint4(n)) % 3] end as state
           from (select r.*, substr(trans_hash, 7)::int as n from upline_rewards r join plan_orders o on o.id = r.order_id
                 where r.user_number = ${user} and r.paid_at is not null) as r
           where n % 7 = 0) as r`,
    `insert into support_requests
     select gen_random_uuid(), ${user}, 'other', 'Request ' || n, 'closed', false, ${at}, ${at} ${series}`,
  ]
}

/**
 * Fills all lists of one user. Triggers and foreign keys are off: the lists need their number and their order, not their
 * history.
 */
export async function fillLists(client: pg.ClientBase, filling: Filling): Promise<void> {
  await client.query('set session_replication_role = replica')
  for (const statement of [money, plans, game, team].flatMap((of) => of(filling))) await client.query(statement)
  await client.query('set session_replication_role = origin')
  await client.query('analyze')
}
