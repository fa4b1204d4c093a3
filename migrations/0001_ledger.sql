-- The ledger's tables and what the database itself refuses. The functions that write are in 0003_posting.sql.
-- Amounts are whole micro-USDT. Nothing but those functions writes here, and history is never changed.

-- An account's id says whose it is and of what kind, so no look-up is needed: user number * 16 + code for a user,
-- 2^60 (1152921504606846976) + code - 16 for the system, whose busy accounts are thus the last to be locked.
create table ledger_account_kinds (
  code smallint primary key,
  name text not null unique
);

insert into ledger_account_kinds values
  (0, 'plan'), (1, 'reward'), (2, 'referral'), (3, 'wallet'), (4, 'bet'), (5, 'health'), (6, 'hold'),
  (16, 'custody'), (17, 'operator'), (18, 'reward_pool'), (19, 'royalty_pool'), (20, 'health_pool'), (21, 'house'),
  (22, 'bet_escrow'), (23, 'payout_pending'), (24, 'fees');

create function ledger_account_kind(account bigint) returns smallint language sql immutable parallel safe
  return ((account & 15) + ((account >> 60) << 4))::smallint;

-- The mirror of the USDT on chain, the only account below zero. Constraints spell the number out: it is faster.
create function ledger_custody() returns bigint language sql immutable parallel safe return 1152921504606846976;

-- Every account is touched by the daily run: half-empty pages keep its updates in the page.
create table ledger_accounts (
  id bigint primary key,
  balance bigint not null default 0,
  version bigint not null default 0, -- how many entries it has
  constraint balance_not_negative check (balance >= 0 or id = 1152921504606846976)
) with (fillfactor = 45);

insert into ledger_accounts (id) select ledger_custody() + code - 16 from ledger_account_kinds where code >= 16;

create type ledger_kind as enum (
  'plan_purchase', 'chain_deposit', 're_top_up', 're_top_up_fee', 'upline_reward', 'daily_reward', 'plan_maturity',
  'transfer', 'withdrawal', 'withdrawal_payment', 'withdrawal_return', 'bet_deposit', 'bet_withdrawal', 'bet',
  'round_settlement', 'round_refund', 'colour_upline', 'royalty', 'health_release',
  'operator_deposit', 'pool_funding', 'fee_collection'
);

-- The only movements there are, whatever the application asks for. src/server/ledger/rules.ts says the same.
create table ledger_rules (
  kind ledger_kind not null,
  from_code smallint not null references ledger_account_kinds,
  to_code smallint not null references ledger_account_kinds,
  users text not null check (users in ('any', 'same', 'other')), -- how the two accounts' users relate
  primary key (kind, from_code, to_code)
);

insert into ledger_rules
select rule.kind::ledger_kind, source.code, target.code, rule.users
from (values
  ('plan_purchase', 'custody', 'plan', 'any'),
  ('plan_purchase', 'wallet', 'plan', 'same'),
  ('chain_deposit', 'custody', 'wallet', 'any'),
  ('re_top_up', 'reward', 'plan', 'same'),
  ('re_top_up', 'reward', 'hold', 'same'),
  ('re_top_up', 'referral', 'plan', 'same'),
  ('re_top_up', 'referral', 'hold', 'same'),
  ('re_top_up_fee', 'hold', 'fees', 'any'),
  ('upline_reward', 'reward_pool', 'referral', 'any'),
  ('daily_reward', 'reward_pool', 'reward', 'any'),
  ('daily_reward', 'health_pool', 'health', 'any'),
  ('plan_maturity', 'plan', 'wallet', 'same'),
  ('transfer', 'wallet', 'wallet', 'other'),
  ('transfer', 'reward', 'wallet', 'other'),
  ('transfer', 'referral', 'wallet', 'other'),
  ('withdrawal', 'wallet', 'payout_pending', 'any'),
  ('withdrawal', 'wallet', 'fees', 'any'),
  ('withdrawal', 'reward', 'payout_pending', 'any'),
  ('withdrawal', 'reward', 'fees', 'any'),
  ('withdrawal', 'referral', 'payout_pending', 'any'),
  ('withdrawal', 'referral', 'fees', 'any'),
  ('withdrawal_payment', 'payout_pending', 'custody', 'any'),
  ('withdrawal_return', 'payout_pending', 'wallet', 'any'),
  ('withdrawal_return', 'payout_pending', 'reward', 'any'),
  ('withdrawal_return', 'payout_pending', 'referral', 'any'),
  ('withdrawal_return', 'fees', 'wallet', 'any'),
  ('withdrawal_return', 'fees', 'reward', 'any'),
  ('withdrawal_return', 'fees', 'referral', 'any'),
  ('bet_deposit', 'custody', 'bet', 'any'),
  ('bet_deposit', 'wallet', 'bet', 'same'),
  ('bet_withdrawal', 'bet', 'wallet', 'same'),
  ('bet', 'bet', 'bet_escrow', 'any'),
  ('round_settlement', 'bet_escrow', 'bet', 'any'),
  ('round_settlement', 'bet_escrow', 'house', 'any'),
  ('round_settlement', 'house', 'bet', 'any'),
  ('round_refund', 'bet_escrow', 'bet', 'any'),
  ('colour_upline', 'fees', 'referral', 'any'),
  ('royalty', 'royalty_pool', 'referral', 'any'),
  ('health_release', 'health', 'wallet', 'same'),
  ('operator_deposit', 'custody', 'operator', 'any'),
  ('pool_funding', 'operator', 'reward_pool', 'any'),
  ('pool_funding', 'operator', 'royalty_pool', 'any'),
  ('pool_funding', 'operator', 'health_pool', 'any'),
  ('pool_funding', 'operator', 'house', 'any'),
  ('fee_collection', 'fees', 'operator', 'any')
) as rule (kind, source, target, users)
join ledger_account_kinds source on source.name = rule.source
join ledger_account_kinds target on target.name = rule.target;

-- A posting is named by its cause, which is its key: one cause moves money once. The digest is of what was asked,
-- the reply what was answered: a repeat of the same gets the same (R2).
create table ledger_postings (
  kind ledger_kind not null,
  entries int not null,
  reference uuid not null,
  digest uuid,
  reply jsonb,
  primary key (kind, reference)
);

create table ledger_entries (
  account_id bigint not null,
  version bigint not null,
  amount bigint not null,
  balance_after bigint not null,
  posted_at timestamptz not null,
  kind ledger_kind not null,
  reference uuid not null,
  primary key (account_id, version),
  constraint balance_not_negative check (balance_after >= 0 or account_id = 1152921504606846976)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

create trigger append_only before update or delete or truncate on ledger_postings
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();
create trigger fixed before update or delete or truncate on ledger_rules
  for each statement execute function refuse_change();
create trigger kept before delete or truncate on ledger_accounts
  for each statement execute function refuse_change();

-- The application reads; it writes through the functions alone.
grant select on ledger_account_kinds, ledger_accounts, ledger_rules, ledger_postings, ledger_entries to wellplay_app;
