-- Rules: which movements each kind of posting allows. Every posting is checked, so the check must be cheap: a movement
-- is encoded as one number, and the planner computes the numbers of all rules once per session.

create or replace function ledger_rule_number(place int, from_code int, to_code int, same_user boolean) returns int
language sql immutable parallel safe return (place << 11) + (from_code << 6) + (to_code << 1) + same_user::int;

-- The position of a kind in this list. New kinds must be added here.
create or replace function ledger_kind_place(kind ledger_kind) returns int language sql immutable parallel safe
return array_position(array[
  'plan_purchase', 'chain_deposit', 're_top_up', 're_top_up_fee', 'upline_reward', 'daily_reward', 'plan_maturity',
  'transfer', 'withdrawal', 'withdrawal_payment', 'withdrawal_return', 'bet_deposit', 'bet_withdrawal', 'bet',
  'round_settlement', 'round_refund', 'colour_upline', 'royalty', 'health_release',
  'operator_deposit', 'pool_funding', 'fee_collection', 'reward_hold', 'reward_release', 'reward_forfeit',
  'operator_outflow', 'account_closing'
]::ledger_kind[], kind);

-- The code of an account kind, as in ledger_account_kinds.
create or replace function ledger_account_code(name text) returns int language sql immutable parallel safe
return coalesce(
  array_position(array['plan', 'reward', 'referral', 'wallet', 'bet', 'health', 'hold'], name) - 1,
  array_position(array['custody', 'operator', 'reward_pool', 'royalty_pool', 'health_pool', 'house', 'bet_escrow',
    'payout_pending', 'fees'], name) + 15);

-- The number that encodes a rule. For a movement between two user accounts, `users` is 'same' if both belong to one
-- user and 'other' if they do not. Without it, such a rule allows nothing.
create or replace function ledger_rule(kind ledger_kind, source text, target text, users text default null) returns int
language sql immutable parallel safe
return ledger_rule_number(ledger_kind_place(kind), ledger_account_code(source), ledger_account_code(target),
  case
    when ledger_account_code(source) < 16 and ledger_account_code(target) < 16 then users = 'same'
    else ledger_account_code(source) > 15 and ledger_account_code(target) > 15
  end);

-- All allowed movements of money. Pools are funded only from `operator`, except that `house` also keeps lost stakes.
-- `plan` can move only to the same user's wallet. src/server/ledger/rules.ts has the same rules; a test compares the
-- two for every kind and every pair of accounts.
create or replace function ledger_has_rule(number int) returns boolean language sql immutable parallel safe
return number = any (array[
    ledger_rule('plan_purchase', 'custody', 'plan'),
    ledger_rule('plan_purchase', 'wallet', 'plan', 'same'),
    ledger_rule('chain_deposit', 'custody', 'wallet'),
    ledger_rule('re_top_up', 'reward', 'plan', 'same'),
    ledger_rule('re_top_up', 'reward', 'hold', 'same'),
    ledger_rule('re_top_up', 'referral', 'plan', 'same'),
    ledger_rule('re_top_up', 'referral', 'hold', 'same'),
    ledger_rule('re_top_up_fee', 'hold', 'fees'),
    ledger_rule('upline_reward', 'reward_pool', 'referral'),
    ledger_rule('daily_reward', 'reward_pool', 'reward'),
    ledger_rule('daily_reward', 'health_pool', 'health'),
    ledger_rule('plan_maturity', 'plan', 'wallet', 'same'),
    ledger_rule('transfer', 'wallet', 'wallet', 'other'),
    ledger_rule('transfer', 'reward', 'wallet', 'other'),
    ledger_rule('transfer', 'referral', 'wallet', 'other'),
    ledger_rule('withdrawal', 'wallet', 'payout_pending'),
    ledger_rule('withdrawal', 'wallet', 'fees'),
    ledger_rule('withdrawal', 'reward', 'payout_pending'),
    ledger_rule('withdrawal', 'reward', 'fees'),
    ledger_rule('withdrawal', 'referral', 'payout_pending'),
    ledger_rule('withdrawal', 'referral', 'fees'),
    ledger_rule('withdrawal_payment', 'payout_pending', 'custody'),
    ledger_rule('withdrawal_return', 'payout_pending', 'wallet'),
    ledger_rule('withdrawal_return', 'payout_pending', 'reward'),
    ledger_rule('withdrawal_return', 'payout_pending', 'referral'),
    ledger_rule('withdrawal_return', 'fees', 'wallet'),
    ledger_rule('withdrawal_return', 'fees', 'reward'),
    ledger_rule('withdrawal_return', 'fees', 'referral'),
    ledger_rule('bet_deposit', 'custody', 'bet'),
    ledger_rule('bet_deposit', 'wallet', 'bet', 'same'),
    ledger_rule('bet_withdrawal', 'bet', 'wallet', 'same'),
    ledger_rule('bet', 'bet', 'bet_escrow'),
    ledger_rule('round_settlement', 'bet_escrow', 'bet'),
    ledger_rule('round_settlement', 'bet_escrow', 'house'),
    ledger_rule('round_settlement', 'house', 'bet'),
    ledger_rule('round_refund', 'bet_escrow', 'bet'),
    ledger_rule('colour_upline', 'fees', 'referral'),
    ledger_rule('royalty', 'royalty_pool', 'referral'),
    ledger_rule('health_release', 'health', 'wallet', 'same'),
    ledger_rule('reward_hold', 'referral', 'hold', 'same'),
    ledger_rule('reward_release', 'hold', 'referral', 'same'),
    ledger_rule('reward_forfeit', 'hold', 'fees'),
    ledger_rule('operator_deposit', 'custody', 'operator'),
    ledger_rule('operator_outflow', 'operator', 'custody'),
    ledger_rule('pool_funding', 'operator', 'reward_pool'),
    ledger_rule('pool_funding', 'operator', 'royalty_pool'),
    ledger_rule('pool_funding', 'operator', 'health_pool'),
    ledger_rule('pool_funding', 'operator', 'house'),
    ledger_rule('fee_collection', 'fees', 'operator'),
    ledger_rule('account_closing', 'reward', 'fees'),
    ledger_rule('account_closing', 'referral', 'fees'),
    ledger_rule('account_closing', 'wallet', 'fees'),
    ledger_rule('account_closing', 'bet', 'fees'),
    ledger_rule('account_closing', 'health', 'fees')
  ]);

-- The number of a movement by a kind at this place. A rule with the same number allows it.
create or replace function ledger_movement_number(place int, source bigint, target bigint) returns int
language sql immutable parallel safe
return ledger_rule_number(place, ledger_account_kind(source), ledger_account_kind(target), source >> 4 = target >> 4);

create or replace function ledger_allows(kind ledger_kind, source bigint, target bigint) returns boolean
language sql immutable parallel safe
return ledger_has_rule(ledger_movement_number(ledger_kind_place(kind), source, target));

-- Which process may post a movement (R27). The session's role decides: `security definer` and `set role` do not change
-- it. Only the worker books payments from the chain, so no other process can create money.
create or replace function ledger_may_post(kind ledger_kind, source bigint) returns boolean language sql stable
return case
  when source = ledger_custody() then pg_has_role(session_user, 'wellplay_worker', 'member')
  when kind in ('plan_purchase', 're_top_up', 'transfer', 'withdrawal', 'bet_deposit', 'bet_withdrawal', 'bet', 'royalty',
    'health_release', 'account_closing') then pg_has_role(session_user, 'wellplay_api', 'member')
  -- Users ask for these, and the worker completes what their browsers left open.
  when kind in ('re_top_up_fee', 'upline_reward', 'daily_reward', 'colour_upline', 'reward_hold')
    then pg_has_role(session_user, 'wellplay_api', 'member') or pg_has_role(session_user, 'wellplay_worker', 'member')
  when kind in ('chain_deposit', 'operator_deposit', 'plan_maturity', 'withdrawal_payment', 'round_settlement',
    'round_refund')
    then pg_has_role(session_user, 'wellplay_worker', 'member')
  -- The money of a failed payout, or of a withdrawal that an operator refused.
  when kind = 'withdrawal_return'
    then pg_has_role(session_user, 'wellplay_worker', 'member') or pg_has_role(session_user, 'wellplay_operator', 'member')
  when kind in ('pool_funding', 'fee_collection', 'reward_release', 'reward_forfeit', 'operator_outflow')
    then pg_has_role(session_user, 'wellplay_operator', 'member')
  else false
end;

-- Raises the error for a posting that failed the checks.
create or replace function ledger_refuse(in_kind ledger_kind, source bigint) returns void language plpgsql stable as $$
begin
  if ledger_may_post(in_kind, source) then
    raise exception 'no rule allows this movement' using errcode = 'check_violation';
  end if;
  raise exception '% may not post %', session_user, in_kind using errcode = 'insufficient_privilege';
end $$;

-- Raises an error unless a rule allows every movement, and this session may post it. Movements with the same kind and
-- the same kinds of accounts are checked once: the place of the kind, which is slow to find, is added to the number of
-- the group. The sources of a group have one kind, so any of them tells whether the money comes from custody.
create or replace function ledger_check(
  kinds ledger_kind[], owners int[], sources bigint[], targets bigint[], amounts bigint[]
) returns void language plpgsql stable as $$
declare
  refused record;
begin
  select kind, source into refused
  from (
    select kinds[owner] as kind, ledger_movement_number(0, source, target) as number, min(source) as source,
      min(amount) as amount
    from unnest(owners, sources, targets, amounts) as movement (owner, source, target, amount)
    group by kinds[owner], number
  ) movement
  where amount <= 0
    or ledger_has_rule(ledger_rule_number(ledger_kind_place(kind), 0, 0, false) + number) is not true
    or not ledger_may_post(kind, source)
  limit 1;
  if found then perform ledger_refuse(refused.kind, refused.source); end if;
end $$;
