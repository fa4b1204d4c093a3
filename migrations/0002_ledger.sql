-- The ledger, the audit log and the halts. Amounts are whole micro-USDT.
-- Only the functions in functions/ledger.sql write to the ledger, and history is append-only.

-- Every kind of posting. functions/ledger_rules.sql says which movements each kind allows.
create type ledger_kind as enum (
  'plan_purchase', 'chain_deposit', 're_top_up', 're_top_up_fee', 'upline_reward', 'daily_reward', 'plan_maturity',
  'transfer', 'withdrawal', 'withdrawal_payment', 'withdrawal_return', 'bet_deposit', 'bet_withdrawal', 'bet',
  'round_settlement', 'round_refund', 'colour_upline', 'royalty', 'health_release',
  'operator_deposit', 'pool_funding', 'fee_collection', 'reward_hold', 'reward_release', 'reward_forfeit'
);

-- The outcome of a posting.
create type ledger_outcome as enum ('posted', 'repeated', 'mismatch', 'insufficient');

-- An account id encodes owner and kind, so no lookup is needed: user number * 16 + code for a user account,
-- 2^60 (1152921504606846976) + code - 16 for a system account. The busy system accounts have the highest ids, so they
-- are locked last and for the shortest time.
create table ledger_account_kinds (
  code smallint primary key,
  name text not null unique
);

insert into ledger_account_kinds values
  (0, 'plan'), (1, 'reward'), (2, 'referral'), (3, 'wallet'), (4, 'bet'), (5, 'health'), (6, 'hold'),
  (16, 'custody'), (17, 'operator'), (18, 'reward_pool'), (19, 'royalty_pool'), (20, 'health_pool'), (21, 'house'),
  (22, 'bet_escrow'), (23, 'payout_pending'), (24, 'fees');

-- The daily run updates every account. The fill factor leaves room for the new row version in the same page.
create table ledger_accounts (
  id bigint primary key,
  balance bigint not null default 0,
  version bigint not null default 0, -- the number of its entries
  -- Only custody, which mirrors the USDT on chain, may be negative. The id is a literal because it is faster than a
  -- function call.
  constraint balance_not_negative check (balance >= 0 or id = 1152921504606846976)
) with (fillfactor = 45);

insert into ledger_accounts (id) select 1152921504606846976 + code - 16 from ledger_account_kinds where code >= 16;

-- The key of a posting is its cause, so each cause moves money once. `digest` is a hash of the request, and `reply` is
-- what the call returned: repeating the request returns the same reply (R2).
create table ledger_postings (
  kind ledger_kind not null,
  entries int not null,
  reference uuid not null,
  digest uuid,
  reply jsonb,
  primary key (kind, reference)
);

-- balance_after needs no check: it is copied from the account, which has one. PostgreSQL would parse a second check for
-- every statement.
create table ledger_entries (
  account_id bigint not null,
  version bigint not null,
  amount bigint not null,
  balance_after bigint not null,
  posted_at timestamptz not null,
  kind ledger_kind not null,
  reference uuid not null,
  primary key (account_id, version)
);

-- Who did what and why. Each row contains the hash of the row before it.
create table audit_log (
  id bigint primary key,
  at timestamptz not null,
  who text not null,
  what text not null,
  why text not null,
  previous_hash bytea not null,
  hash bytea not null
);

-- The result of each audit, for the trust page.
create table audit_runs (
  at timestamptz primary key default clock_timestamp(),
  passed boolean not null,
  checked int not null,
  -- The numbers of the broken invariants.
  broken int[] not null
);

-- Payouts and bets are paused while this table has a row (R18). Ending a halt deletes its row; the audit log keeps the
-- record.
create table halts (
  source text primary key,
  reason text not null,
  since timestamptz not null default now()
);

-- The application reads the ledger and the audit log directly, but writes them only through functions.
grant select on ledger_account_kinds, ledger_accounts, ledger_postings, ledger_entries, audit_log to wellplay_app;
grant select, insert on audit_runs to wellplay_app;
grant select, insert, delete on halts to wellplay_app;
