import type pg from 'pg'
import { growTree } from './referrals-tree.ts'

/**
 * A synthetic history that every invariant accepts, written with set-based SQL: transfers between users and the daily
 * rewards of lots, the same number on each day up to yesterday. So a larger history is a longer one, and the last 30
 * days look the same at every size. One user takes part in a third of the transfers, so that their list has at least
 * 200 pages.
 */
const USERS = 60_000
const LOTS = 800
const TRANSFERS_PER_DAY = 1_250
/** Each transfer has two entries; the daily run has one for each lot and one for the pool. */
const ENTRIES_PER_DAY = TRANSFERS_PER_DAY * 2 + LOTS + 1
/** A transaction with these days is about a slice of the audit, which never divides a transaction. */
const DAYS_PER_BATCH = 6

export const people = {
  /** Takes part in a third of all transfers. */
  busy: 20_000,
  /** Has a lot, and about as many transfers as anyone. */
  usual: 5,
  root: 1,
  hub: 31,
}

/** Users, lots and money: what every size starts with. */
export async function prepareUsers(client: pg.Client): Promise<void> {
  await growTree(client, USERS)
  await client.query(`update ledger_accounts set balance = 0`)
  await client.query(`select count(ledger_open_accounts(n)) from generate_series(1, ${USERS}) as n`)
  await client.query(`
    select ledger_post('chain_deposit', new_id(), null, null, array_agg(ledger_custody()), array_agg(n * 16 + 3),
      array_agg(1000000000000)) from generate_series(1::bigint, ${USERS}) as n`)
  await client.query(`
    select ledger_post_one('operator_deposit', new_id(), null, null, ledger_custody(), ledger_custody() + 1, 2e15::bigint),
      ledger_post_one('pool_funding', new_id(), null, null, ledger_custody() + 1, ledger_custody() + 2, 1e15::bigint)`)
  await client.query('set session_replication_role = replica')
  await client.query(`
    insert into plan_orders (id, user_number, package_type, source, trans_hash, amount, fee, plan_before, fee_above,
      fee_percent, upline_completed_at)
    select new_id(), n, 1, 'wallet', 'order ' || n, 100000000, 0, 0, 0, 0, now() from generate_series(1, ${LOTS}) as n`)
  await client.query(`
    insert into plan_lots (order_id, user_number, tier, amount, daily_rate_ppm, started_on, matures_on, health_percent)
    select id, user_number, 'starter', amount, 5000, '1900-01-01', '2200-01-01', 0 from plan_orders`)
  await client.query('set session_replication_role = origin')
  await client.query(`select ledger_post_one('plan_purchase', id, null, null, user_number::bigint * 16 + 3,
    user_number::bigint * 16, amount) from plan_orders`)
  await backdate(client)
  await client.query(historyFunction)
}

/** The entries above come first in their accounts, so their time must be before that of the history. */
async function backdate(client: pg.Client): Promise<void> {
  await client.query('set session_replication_role = replica')
  await client.query(`update ledger_entries set posted_at = '1900-01-01Z'`)
  await client.query('set session_replication_role = origin')
}

/** Writes the days before today that have this many entries. */
export async function writeHistory(client: pg.Client, entries: number): Promise<void> {
  await client.query('set session_replication_role = replica')
  for (let left = Math.ceil(entries / ENTRIES_PER_DAY); left > 0; left -= DAYS_PER_BATCH)
    await client.query('select bench_days(current_date - $1::int, $2, $3, true)', [
      ...[left, Math.min(left, DAYS_PER_BATCH), TRANSFERS_PER_DAY],
    ])
  await client.query('set session_replication_role = origin')
  await client.query('vacuum analyze')
}

/** Writes transfers of today, for an audit of what is new. */
export async function writeNews(client: pg.Client, transfers: number): Promise<void> {
  await client.query('set session_replication_role = replica')
  await client.query('select bench_days(current_date, 1, $1, false)', [transfers])
  await client.query('set session_replication_role = origin')
}

/** The same user for the same transfer in every run. */
const someone = (salt: number) =>
  `(hashint8extended(n + day_number * 100000::bigint, ${salt}) & 2147483647) % ${USERS} + 1`

const historyFunction = `
create table bench_moves (id uuid, payer int, payee int, at timestamptz);
create table bench_legs (account bigint, amount bigint, at timestamptz, kind ledger_kind, reference uuid);
create function bench_days(first date, days int, transfers_per_day int, with_rewards boolean) returns void
language plpgsql as $$
begin
  truncate bench_moves, bench_legs;
  insert into bench_moves
  select new_id(), payer, case payee when payer then payee % ${USERS} + 1 else payee end, at
  from (
    select case n % 6 when 0 then ${people.busy} else ${someone(1)} end as payer,
      case n % 6 when 3 then ${people.busy} else ${someone(2)} end as payee,
      (first + day)::timestamp at time zone 'utc' + n * interval '1 day' / transfers_per_day * 0.9 as at
    from generate_series(0, days - 1) as day, generate_series(1::bigint, transfers_per_day) as n,
      lateral (select first - date '1900-01-01' + day as day_number) as counted
  ) move order by at;

  if with_rewards then
    insert into reward_runs (earned_on, chunk, reference) select first + n, 0, new_id() from generate_series(0, days - 1) as n;
    insert into daily_rewards (earned_on, user_number, lot_number, amount, health, reference)
    select earned_on, user_number, number, amount * daily_rate_ppm / 1000000, 0, reference
    from reward_runs, plan_lots where earned_on >= first and earned_on < first + days;
  end if;

  insert into bench_legs
  select payer::bigint * 16 + 3, -1000000, at, 'transfer'::ledger_kind, id from bench_moves
  union all select payee::bigint * 16 + 3, 1000000, at, 'transfer'::ledger_kind, id from bench_moves
  union all select user_number::bigint * 16 + 1, amount, earned_on::timestamp at time zone 'utc', 'daily_reward', reference
    from daily_rewards where with_rewards and earned_on >= first and earned_on < first + days
  union all select ledger_custody() + 2, -sum(amount), earned_on::timestamp at time zone 'utc', 'daily_reward', reference
    from daily_rewards where with_rewards and earned_on >= first and earned_on < first + days group by earned_on, reference;

  insert into ledger_postings (kind, entries, reference)
  select kind, count(*), reference from bench_legs group by kind, reference;
  insert into ledger_entries (account_id, version, amount, balance_after, posted_at, kind, reference)
  select account, version + row_number() over entry, amount, balance + sum(amount) over entry, at, kind, reference
  from bench_legs join ledger_accounts on id = account
  window entry as (partition by account order by at, reference) order by at;
  update ledger_accounts set balance = balance + net, version = version + entries
  from (select account, sum(amount) as net, count(*) as entries from bench_legs group by account) moved where id = account;
  insert into transfers (id, from_number, to_number, source, amount, sent_at, predates_signatures)
  select id, payer, payee, 'wallet', 1000000, at, true from bench_moves;
end $$`
