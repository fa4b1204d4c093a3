-- The deletion of an account: what stops it, and the one function that does it. What keeps a deleted user's rows and
-- accounts as they are is in deletion_guards.sql.

-- What must be settled before a user can be deleted. Each row is one obstacle: an amount, or when it ends, if known.
-- Balances too small to withdraw are no obstacle, and neither is health money, which cannot always be released: the user
-- signs that they give these up.
create or replace function account_obstacles(in_user int)
returns table (obstacle text, amount bigint, until timestamptz) language sql stable
begin atomic
  with own as (
    select (array['plan', 'reward', 'referral', 'wallet', 'bet', 'health', 'hold'])[1 + (id & 15)] as kind, balance
    from ledger_accounts where id between in_user::bigint * 16 and in_user::bigint * 16 + 6
  ), found as (
    select 'frozen' as obstacle, null::bigint as amount, null::timestamptz as until
    from users where number = in_user and frozen_at is not null
    union all
    select 'excluded', null, max(until_at) from colour_exclusions where user_number = in_user and until_at > now()
    union all
    select 'plan', (select balance from own where kind = 'plan'),
      (select max(matures_on)::timestamp at time zone 'UTC' from plan_lots where user_number = in_user and matured_at is null)
    union all
    select kind, balance, null from own
    where kind in ('reward', 'referral', 'wallet', 'bet') and balance >= terms_amount(terms_at(now()), 'withdrawalMin')
    union all
    select 'withdrawal', sum(w.amount)::bigint, null from withdrawals w
    where user_number = in_user and state in ('requested', 'waiting', 'signed', 'sent')
    union all
    select 'open_bet', sum(stake)::bigint, null from colour_rounds r join colour_bets b on b.round = r.number
    where r.state in ('open', 'drawn') and b.user_number = in_user
    union all
    -- A payment that is announced, by the user or by operators for them, or recorded and not booked yet.
    select 'payment', sum(open.amount)::bigint, null from (
      select c.amount from chain_claims c where c.state = 'waiting'
        and (c.user_number = in_user or (c.product = 'operator' and c.details ->> 'user' = in_user::text))
      union all
      select (t.value_wei / 1000000000000)::bigint from chain_unbooked w join chain_payments t on t.id = w.payment_id
      where t.direction = 'in' and t.from_address in (select wallet_address from users where number = in_user
        union all select address from chain_deposit_addresses where user_number = in_user)) open
    union all
    select 'held', balance, null from own where kind = 'hold'
    union all
    -- Rewards that are earned and not paid yet, because the operator's pool was empty.
    select 'due', sum(open.amount)::bigint, null from (
      select u.amount from upline_rewards u where u.user_number = in_user and u.paid_at is null
      union all
      select d.amount from reward_deferrals d where d.user_number = in_user and d.paid_by is null) open
    union all
    select 'royalty', sum(s.amount)::bigint, max(claimable_until + 1)::timestamp at time zone 'UTC'
    from royalty_shares s join royalty_months using (month)
    where s.user_number = in_user and s.paid_at is null and claimable_until >= (now() at time zone 'UTC')::date
    union all
    select 'support', count(*), null from support_requests
    where user_number = in_user and topic = 'money' and state = 'open'
  )
  select obstacle, amount, until from found
  where obstacle = 'frozen' or (obstacle = 'excluded' and until is not null) or (obstacle = 'plan' and until is not null)
    or amount > 0;
end;

-- Tables with rows about a user that are not records of money. All their rows with the user's number are deleted, in this
-- order: rows come before what they refer to. deletion_guards.sql keeps new ones out.
create or replace function deletion_tables() returns text[] language sql immutable
return array['news_deliveries', 'news_devices', 'news', 'news_settings', 'news_emails', 'news_email_codes', 'news_chats',
  'news_chat_codes', 'shares', 'quiz_bests', 'quiz_games', 'point_awards', 'wellness_entries', 'wellness_completions',
  'wellness_breathing', 'wellness_rest_plans', 'wellness_friends', 'wellness_zones', 'support_requests', 'declarations',
  'colour_limits', 'colour_exclusions', 'referral_flag_members', 'funding_sources', 'funding_checks',
  'chain_deposit_addresses', 'leaf_keys', 'idempotency_keys', 'sessions'];

-- Whether records of money name the wallet of this user. Then the audit needs it, and deleting it here hides nothing.
create or replace function deletion_keeps_wallet(in_user int, in_wallet text) returns boolean language sql stable
return exists (select from withdrawals where user_number = in_user)
  or exists (select from transfers where from_number = in_user and signature is not null)
  or exists (select from wallet_changes where user_number = in_user and done_at is not null)
  or exists (select from chain_payments where direction = 'in' and from_address = in_wallet);

-- What the user gives up goes to `fees`. Afterwards the accounts are empty, and closed.
create or replace function deletion_close_accounts(in_user int, in_reference uuid) returns void language plpgsql as $$
declare
  given record;
  outcome ledger_outcome;
begin
  select array_agg(id) as accounts, array_agg(balance) as balances into given from ledger_accounts
  where id between in_user::bigint * 16 and in_user::bigint * 16 + 6 and balance > 0;
  if given.accounts is not null then
    outcome := (ledger_post('account_closing', in_reference, null, null, given.accounts,
      array_fill(ledger_custody() + 8, array[cardinality(given.accounts)]), given.balances)).outcome;
    if outcome <> 'posted' then raise exception 'the accounts of user % could not be closed: %', in_user, outcome; end if;
  end if;
  update ledger_accounts set closed = true where id between in_user::bigint * 16 and in_user::bigint * 16 + 6;
end $$;

-- Deletes a user, in the caller's transaction. Returns what stops it; an empty list means that it is done. The caller has
-- verified the wallet's signature over the account and the amount given up: SQL cannot.
--
-- The locks make the checks final. Whatever moves the user's money waits for their accounts, and whatever adds a row about
-- them waits for their row in `users`, because of a foreign key or a guard. After the commit both are refused.
create or replace function account_delete(in_user int, in_given_up bigint) returns text[] language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  person users;
  obstacles text[];
begin
  perform ledger_lock(array(select in_user::bigint * 16 + code from ledger_account_kinds where code < 16));
  select * into person from users where number = in_user for update;
  if not found or person.deleted_at is not null then return array['deleted']; end if;
  obstacles := array(select obstacle from account_obstacles(in_user));
  if cardinality(obstacles) > 0 then return obstacles; end if;
  if in_given_up is distinct from (select sum(balance) from ledger_accounts
    where id between in_user::bigint * 16 and in_user::bigint * 16 + 6) then return array['balance_changed']; end if;

  perform deletion_close_accounts(in_user, person.id);
  update users set username = 'deleted_' || number, wallet_address = deleted_address(id),
    referral_code = upper(left(replace(gen_random_uuid()::text, '-', ''), 8)), points = 0, avatar = null,
    hides_figures = true, hides_from_boards = true, deleted_at = clock_timestamp(), given_up = in_given_up,
    deleted_wallet = case when deletion_keeps_wallet(in_user, person.wallet_address) then person.wallet_address end
  where number = in_user;
  perform deletion_remove_rows(person);
  return '{}';
end $$;

-- Rows that have no number of their user, and then those of the list above.
create or replace function deletion_remove_rows(person users) returns void language plpgsql as $$
declare
  name text;
begin
  delete from quiz_guest_games where duel_of in (select id from quiz_games where user_number = person.number);
  delete from quiz_events where game_id in (select id from quiz_games where user_number = person.number);
  update referral_holds set appeal_id = null where user_number = person.number and appeal_id is not null;
  delete from support_messages where request_id in (select id from support_requests where user_number = person.number);
  delete from session_proofs where session_id in (select id from sessions where user_number = person.number);
  delete from sign_in_nonces where wallet_address = person.wallet_address;
  -- The others say which wallet withdrawals went to.
  delete from wallet_changes where user_number = person.number and done_at is null;
  -- The owner of `entries` is an account, that of the others a user.
  delete from history_days where case history when 'entries' then owner / 16 else owner end = person.number;
  foreach name in array deletion_tables() loop
    execute format('delete from %I where user_number = $1', name) using person.number;
  end loop;
end $$;

-- Rows about users who were deleted in the last two days, for the audit. Runs as the owner, because not every process may
-- read all of these tables.
create or replace function deletion_leftovers() returns table (user_number int, name text) language plpgsql stable
security definer set search_path = public, pg_temp as $$
declare
  each text;
begin
  foreach each in array deletion_tables() loop
    return query execute format('select u.number, %1$L from users u where u.deleted_at > now() - interval ''2 days''
      and exists (select from %1$I t where t.user_number = u.number)', each);
  end loop;
end $$;

revoke execute on function account_delete, deletion_remove_rows, deletion_close_accounts from public, wellplay_app;
grant execute on function account_delete to wellplay_api;
revoke execute on function deletion_leftovers from public;
grant execute on function deletion_leftovers to wellplay_app;
