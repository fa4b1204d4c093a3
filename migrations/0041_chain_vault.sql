-- The vault (contracts/Vault.sol) holds the users' USDT and pays each id once. Its final events, as the watcher read them.

-- Every `Paid` event, with or without a withdrawal in our books. `block` is its number and `happened_at` its time.
create table vault_payments (
  chain_id bigint not null,
  vault evm_address not null,
  id evm_hash not null,
  wallet evm_address not null,
  micro bigint not null check (micro >= 0),
  block bigint not null,
  tx_hash evm_hash not null,
  happened_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  tx bigint not null default pg_current_xact_id()::text::bigint,
  primary key (chain_id, vault, id)
);
create index vault_payments_wallet on vault_payments (wallet);
create index vault_payments_tx_hash on vault_payments (tx_hash);
create index vault_payments_time on vault_payments (happened_at);
create index vault_payments_tx on vault_payments using brin (tx) with (pages_per_range = 32, autosummarize = on);

-- Every `Voided` event: the id can never be paid, so its withdrawal can be refunded.
create table vault_voids (
  chain_id bigint not null,
  vault evm_address not null,
  id evm_hash not null,
  block bigint not null,
  tx_hash evm_hash not null,
  recorded_at timestamptz not null default now(),
  primary key (chain_id, vault, id)
);

grant select on vault_payments, vault_voids to wellplay_app;
grant insert (chain_id, vault, id, wallet, micro, block, tx_hash, happened_at) on vault_payments to wellplay_worker;
grant insert (chain_id, vault, id, block, tx_hash) on vault_voids to wellplay_worker;

-- A payout whose transaction failed, or whose key was replaced, is signed again with another nonce and the same id. So a
-- withdrawal can have several payouts, of which the vault pays one. `vault` and `vault_id` are null for payouts from
-- before the vault, which were plain token transfers. `is_void` marks a transaction that uses up the id instead.
alter table chain_payouts add column vault evm_address;
alter table chain_payouts add column vault_id evm_hash;
alter table chain_payouts add column is_void boolean not null default false;
alter table chain_payouts drop constraint chain_payouts_reference_key;
create index chain_payouts_reference on chain_payouts (reference);
create unique index chain_payouts_one_open on chain_payouts (chain_id, wallet, reference) where closed_at is null;
grant insert (vault, vault_id, is_void) on chain_payouts to wellplay_worker, wellplay_operator;

-- Its transaction failed, or was signed by an earlier key. It is sent again.
insert into withdrawal_steps values ('signed', 'requested'), ('sent', 'requested');
