-- On-chain activity: every USDT payment to or from our addresses, how it was booked in the ledger, and the signed
-- payouts. Payments are recorded only once they are final, so no row ever has to be undone.

create domain evm_address as text check (value ~ '^0x[0-9a-f]{40}$');
create domain evm_hash as text check (value ~ '^0x[0-9a-f]{64}$');

-- How far the watcher has read: every payment up to and including this block is in chain_payments.
create table chain_cursor (
  chain_id bigint primary key,
  block_number bigint not null check (block_number >= 0),
  block_hash evm_hash not null,
  moved_at timestamptz not null default now()
);

-- `ordinal` is the position of the payment among the USDT payments in the transaction's receipt. The log index within
-- the block would change if the transaction were mined again (R9). A row with the zero hash is the opening balance at
-- the watcher's first start.
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

-- A transaction hash that a user posted, before or after it was mined. Each user can use a hash once, for one product.
-- Two users may post the same hash: only a payment from the claimant's own wallet fulfils a claim.
create table chain_claims (
  id uuid primary key,
  chain_id bigint not null,
  tx_hash evm_hash not null,
  user_number int, -- references users: 0004_users.sql adds the foreign key
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

-- How a payment was booked in the ledger: once, by one posting. Amounts below one micro-USDT are booked without a
-- posting.
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

-- The watcher's work queue: payments that are not booked yet. A payment from an unknown wallet stays here until a user
-- registers that wallet or an operator claims it.
create table chain_unbooked (
  payment_id uuid primary key references chain_payments (id)
);

-- A nonce of the payout wallet and the payout that uses it. Taking the nonce, signing and storing are one database
-- transaction, committed before anything is sent (R10).
create table chain_payouts (
  chain_id bigint not null,
  wallet evm_address not null,
  nonce bigint not null check (nonce >= 0),
  reference uuid not null unique,
  to_address evm_address not null,
  amount bigint not null check (amount > 0),
  -- Null until the payout is final, either paid or failed.
  closed_at timestamptz,
  primary key (chain_id, wallet, nonce)
);
create index chain_payouts_open on chain_payouts (chain_id, wallet, nonce) where closed_at is null;

-- The signed bytes. A stuck attempt is replaced by one with the same nonce and a higher fee; only one of them can be
-- mined.
create table chain_payout_attempts (
  tx_hash evm_hash primary key,
  chain_id bigint not null,
  wallet evm_address not null,
  nonce bigint not null,
  raw text not null,
  fee_max_wei numeric(78, 0) not null,
  tip_max_wei numeric(78, 0) not null,
  gas_max bigint not null,
  signed_at timestamptz not null default now(),
  foreign key (chain_id, wallet, nonce) references chain_payouts
);
create index chain_payout_attempts_nonce on chain_payout_attempts (chain_id, wallet, nonce);

grant select, insert on chain_payments, chain_bookings, chain_claims, chain_cursor, chain_payouts, chain_payout_attempts
  to wellplay_app;
grant select, insert, delete on chain_unbooked to wellplay_app;
grant update (block_number, block_hash, moved_at) on chain_cursor to wellplay_app;
grant update (state, note, closed_at) on chain_claims to wellplay_app;
grant update (closed_at) on chain_payouts to wellplay_app;
