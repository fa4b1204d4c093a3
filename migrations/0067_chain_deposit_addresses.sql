-- Personal deposit addresses that users have asked for (contracts/DepositAddress.sol). Each one follows from the vault and
-- the user's wallet: a row only finds the user of an address, and every booking computes the address again.
create table chain_deposit_addresses (
  address evm_address primary key,
  chain_id bigint not null,
  vault evm_address not null,
  user_number int not null,
  -- When the user last asked for it, and when the worker last read what it holds.
  asked_at timestamptz not null default now(),
  read_at timestamptz,
  tx bigint not null default pg_current_xact_id()::text::bigint,
  unique (chain_id, vault, user_number)
);
create index chain_deposit_addresses_asked on chain_deposit_addresses (asked_at);
create index chain_deposit_addresses_read on chain_deposit_addresses (read_at nulls first);
create index chain_deposit_addresses_tx on chain_deposit_addresses using brin (tx);

grant select on chain_deposit_addresses to wellplay_app;
grant insert (address, chain_id, vault, user_number), update (asked_at) on chain_deposit_addresses to wellplay_api;
grant update (read_at) on chain_deposit_addresses to wellplay_worker;

-- The publisher's key also sweeps deposit addresses. The value is the hash of the call.
alter table vault_calls drop constraint vault_calls_kind_check;
alter table vault_calls add constraint vault_calls_kind_check
  check (kind in ('publish', 'tree', 'colour', 'audit', 'sweep'));
