-- The ledger, the audit log and the halts. Amounts are whole micro-USDT.
-- Only the functions in functions/ledger.sql write the ledger, and history is never changed.

-- Every kind of posting. functions/ledger_rules.sql says which movements each kind allows.
create type ledger_kind as enum (
  'plan_purchase', 'chain_deposit', 're_top_up', 're_top_up_fee', 'upline_reward', 'daily_reward', 'plan_maturity',
  'transfer', 'withdrawal', 'withdrawal_payment', 'withdrawal_return', 'bet_deposit', 'bet_withdrawal', 'bet',
  'round_settlement', 'round_refund', 'colour_upline', 'royalty', 'health_release',
  'operator_deposit', 'pool_funding', 'fee_collection', 'reward_hold', 'reward_release', 'reward_forfeit'
);

-- What a call that posts returns.
create type ledger_outcome as enum ('posted', 'repeated', 'mismatch', 'insufficient');

-- An account's id says whose it is and of what kind, so no look-up is needed: user number * 16 + code for a user,
-- 2^60 (1152921504606846976) + code - 16 for the system. The busy system accounts have the highest ids, so they are
-- locked last and for the shortest time.
create table ledger_account_kinds (
  code smallint primary key,
  name text not null unique
);

insert into ledger_account_kinds values
  (0, 'plan'), (1, 'reward'), (2, 'referral'), (3, 'wallet'), (4, 'bet'), (5, 'health'), (6, 'hold'),
  (16, 'custody'), (17, 'operator'), (18, 'reward_pool'), (19, 'royalty_pool'), (20, 'health_pool'), (21, 'house'),
  (22, 'bet_escrow'), (23, 'payout_pending'), (24, 'fees');

-- The daily run updates every account. The fill factor leaves room in each page, so that the new row version fits
-- there.
create table ledger_accounts (
  id bigint primary key,
  balance bigint not null default 0,
  version bigint not null default 0, -- the number of its entries
  -- Only custody, the mirror of the USDT on chain, is below zero. The number is written out: that is faster than a
  -- call.
  constraint balance_not_negative check (balance >= 0 or id = 1152921504606846976)
) with (fillfactor = 45);

insert into ledger_accounts (id) select 1152921504606846976 + code - 16 from ledger_account_kinds where code >= 16;

-- The cause of a posting is its key, so one cause moves money once. The digest is of the request and the reply is what
-- was answered: a repeat of the same request gets the same reply (R2).
create table ledger_postings (
  kind ledger_kind not null,
  entries int not null,
  reference uuid not null,
  digest uuid,
  reply jsonb,
  primary key (kind, reference)
);

-- No check of the balance here: it is copied from the account, which has that check. PostgreSQL would parse a second
-- one for every statement.
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

-- While there is a row, payouts and bets are paused (R18). Rows are deleted later; the audit log keeps the record.
create table halts (
  source text primary key,
  reason text not null,
  since timestamptz not null default now()
);

-- The application reads the ledger and the audit log; it writes them through functions only.
grant select on ledger_account_kinds, ledger_accounts, ledger_postings, ledger_entries, audit_log to wellplay_app;
grant select, insert on audit_runs to wellplay_app;
grant select, insert, delete on halts to wellplay_app;
