-- Transactions of the publisher's key: roots, and values that the vault records in public. `value` is the root or the value.
create table vault_calls (
  chain_id bigint not null,
  wallet evm_address not null,
  nonce bigint not null check (nonce >= 0),
  vault evm_address not null,
  kind text not null check (kind in ('publish', 'tree', 'colour', 'audit')),
  value bytea not null check (length(value) = 32),
  signed_at timestamptz not null default now(),
  -- When the outcome was final.
  closed_at timestamptz,
  succeeded boolean,
  primary key (chain_id, wallet, nonce),
  check ((closed_at is null) = (succeeded is null))
);
create index vault_calls_open on vault_calls (nonce) where closed_at is null;
create index vault_calls_value on vault_calls (kind, value);

-- The signed bytes, stored before they are sent. A stuck call gets another attempt with the same nonce and a higher fee.
create table vault_call_attempts (
  tx_hash evm_hash primary key,
  chain_id bigint not null,
  wallet evm_address not null,
  nonce bigint not null,
  raw text not null check (raw ~ '^0x[0-9a-f]+$'),
  fee_max_wei numeric(78) not null check (fee_max_wei >= 0),
  tip_max_wei numeric(78) not null check (tip_max_wei >= 0),
  signed_at timestamptz not null default now(),
  foreign key (chain_id, wallet, nonce) references vault_calls
);
create index vault_call_attempts_call on vault_call_attempts (chain_id, wallet, nonce);

grant select on vault_calls, vault_call_attempts to wellplay_app;
grant insert (chain_id, wallet, nonce, vault, kind, value) on vault_calls to wellplay_worker;
grant update (closed_at, succeeded) on vault_calls to wellplay_worker;
grant insert (tx_hash, chain_id, wallet, nonce, raw, fee_max_wei, tip_max_wei) on vault_call_attempts to wellplay_worker;

-- To find the withdrawal of a payment.
create index chain_payouts_vault_id on chain_payouts (vault_id);
