-- Which process signs with which of the vault's keys. Each worker renews its rows every minute (chain/key-places.ts). The
-- key itself is in no row: `place` names the setting or the signer that has it.
create table chain_key_places (
  role text not null check (role in ('payer', 'publisher')),
  address evm_address not null,
  place text not null check (length(place) <= 300),
  host text not null check (length(host) <= 255),
  seen_at timestamptz not null default now(),
  primary key (role, address, place, host)
);

grant select on chain_key_places to wellplay_app;
grant insert (role, address, place, host), update (seen_at) on chain_key_places to wellplay_worker;
