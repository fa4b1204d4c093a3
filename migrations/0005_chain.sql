-- What happened on chain: every USDT payment to or from our addresses, and how it entered the ledger.
-- Only what is final is written here, so that nothing ever has to be taken back.

create domain evm_address as text check (value ~ '^0x[0-9a-f]{40}$');
create domain evm_hash as text check (value ~ '^0x[0-9a-f]{64}$');

-- Where the watcher is: everything up to and including this block is in chain_payments.
create table chain_cursor (
  chain_id bigint primary key,
  block_number bigint not null check (block_number >= 0),
  block_hash evm_hash not null,
  moved_at timestamptz not null default now()
);

-- The ordinal counts the USDT payments inside the transaction's own receipt: a log's index within the block changes
-- when a transaction is mined again (R9). The zero hash is the balance found when the watcher began.
create table chain_payments (
  id uuid primary key,
  chain_id bigint not null,
  tx_hash evm_hash not null,
  ordinal int not null check (ordinal >= 0),
  direction text not null check (direction in ('in', 'out', 'inside')),
  from_address evm_address not null,
  to_address evm_address not null,
  value_wei numeric(78, 0) not null check (value_wei > 0),
  block_number bigint not null,
  block_hash evm_hash not null,
  happened_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  unique (chain_id, tx_hash, ordinal)
);
create index chain_payments_from on chain_payments (from_address) where direction = 'in';
create index chain_payments_block on chain_payments (block_number);

-- A hash somebody posted before or after it was mined. One of a user's hashes serves one product, once; that another
-- user posts it too changes nothing, because a claim is only served by a payment from the claimant's own wallet.
create table chain_claims (
  id uuid primary key,
  chain_id bigint not null,
  tx_hash evm_hash not null,
  user_number int references users (number),
  product text not null check (product in ('plan', 'bet', 'wallet', 'operator')),
  amount bigint not null check (amount > 0),
  details jsonb not null default '{}',
  state text not null default 'waiting' check (state in ('waiting', 'credited', 'diverted', 'failed')),
  note text,
  claimed_at timestamptz not null default now(),
  closed_at timestamptz,
  check ((product = 'operator') = (user_number is null)),
  check ((state = 'waiting') = (closed_at is null)),
  unique nulls not distinct (chain_id, tx_hash, user_number)
);
create index chain_claims_waiting on chain_claims (claimed_at) where state = 'waiting';
create index chain_claims_user on chain_claims (user_number, claimed_at);

create function chain_claims_close_once() returns trigger language plpgsql as $$
begin
  if old.state <> 'waiting' then raise exception 'a closed claim stays closed'; end if;
  return new;
end $$;
create trigger close_once before update on chain_claims for each row execute function chain_claims_close_once();

-- How a payment entered the ledger: once, by one posting. Less than one micro-USDT is booked without a posting.
create table chain_bookings (
  payment_id uuid primary key references chain_payments (id),
  kind ledger_kind,
  reference uuid,
  amount bigint not null check (amount >= 0),
  remainder_wei numeric(78, 0) not null check (remainder_wei >= 0),
  claim_id uuid unique references chain_claims (id),
  booked_at timestamptz not null default now(),
  unique (kind, reference),
  check ((amount = 0) = (kind is null) and (kind is null) = (reference is null))
);

-- What waits for its booking: the watcher's work list. A payment from a stranger stays in it until the stranger
-- registers that wallet or the operator claims it.
create table chain_unbooked (
  payment_id uuid primary key references chain_payments (id)
);

create trigger append_only before update or delete or truncate on chain_payments
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on chain_bookings
  for each statement execute function refuse_change();

grant select, insert on chain_payments, chain_bookings, chain_claims, chain_cursor to wellplay_app;
grant select, insert, delete on chain_unbooked to wellplay_app;
grant update (block_number, block_hash, moved_at) on chain_cursor to wellplay_app;
grant update (state, note, closed_at) on chain_claims to wellplay_app;
