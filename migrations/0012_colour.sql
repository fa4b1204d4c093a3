-- The colour game. The seeds of the draws exist only here. Even the application's role cannot read one before its round
-- is bound to a block, so an attacker who controls the application still cannot predict a draw.

create type colour as enum ('green', 'red', 'violet');

-- A hash chain: the hash of seed n is seed n - 1. Seed 0 is the anchor, published before the chain's first round.
create table colour_chains (
  id int primary key generated always as identity,
  anchor bytea not null unique check (length(anchor) = 32),
  length int not null check (length between 1 and 10000000),
  first_round bigint not null unique check (first_round > 0),
  created_at timestamptz not null default clock_timestamp()
);

-- Every thousandth seed; the seeds in between are computed by hashing down from the next stored one. No role is granted
-- access to this table.
create table colour_seeds (
  chain_id int not null references colour_chains,
  position int not null,
  seed bytea not null check (length(seed) = 32),
  primary key (chain_id, position)
);

create table colour_rounds (
  number bigint primary key,
  id uuid not null unique, -- the round's reference in the ledger
  chain_id int not null references colour_chains,
  opens_at timestamptz not null unique,
  closes_at timestamptz not null check (closes_at > opens_at),
  state text not null default 'open' check (state in ('open', 'settled', 'refunded')),
  bets int not null default 0,
  stake_green bigint not null default 0 check (stake_green >= 0),
  stake_red bigint not null default 0 check (stake_red >= 0),
  stake_violet bigint not null default 0 check (stake_violet >= 0),
  -- The first block at or after closing time, bound to the round before the seed is revealed.
  block_number bigint,
  block_hash text check (block_hash ~ '^0x[0-9a-f]{64}$'),
  block_at timestamptz check (block_at >= closes_at),
  bound_at timestamptz,
  seed bytea check (length(seed) = 32),
  draw smallint check (draw between 0 and 99),
  outcome colour,
  finished_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(block_number, block_hash, block_at, bound_at) in (0, 4)),
  check ((state = 'open') = (seed is null) and (state = 'open') = (finished_at is null)),
  check ((state = 'settled') = (draw is not null) and (state = 'settled') = (outcome is not null)),
  check (state <> 'settled' or block_hash is not null)
);
create index colour_rounds_unfinished on colour_rounds (number) where state = 'open';

create table colour_bets (
  id uuid primary key,
  round bigint not null references colour_rounds,
  user_number int not null references users (number),
  colour colour not null,
  stake bigint not null check (stake > 0),
  placed_at timestamptz not null
);
create index colour_bets_round on colour_bets (round, colour);
create index colour_bets_user on colour_bets (user_number, placed_at);

-- What a bet paid to up to three ancestors, nearest first. One row per bet, so a bet pays its upline once.
create table colour_uplines (
  bet_id uuid primary key references colour_bets,
  ancestors int[] not null,
  amounts bigint[] not null,
  paid_at timestamptz not null default now(),
  check (cardinality(ancestors) = cardinality(amounts) and cardinality(ancestors) <= 3 and 0 <= all (amounts))
);

-- Work queue: bets whose upline has not been paid yet.
create table colour_upline_queue (
  bet_id uuid primary key references colour_bets
);

-- Movements between the wallet and the bet wallet. Deposits from the chain are in chain_claims.
create table colour_wallet_moves (
  id uuid primary key,
  user_number int not null references users (number),
  direction text not null check (direction in ('deposit', 'withdraw')),
  amount bigint not null check (amount > 0),
  moved_at timestamptz not null default now()
);
create index colour_wallet_moves_user on colour_wallet_moves (user_number, moved_at);

-- Limits that players set for themselves. The newest one that has taken effect applies. A newer change replaces one
-- that has not taken effect yet.
create table colour_limits (
  id bigint primary key generated always as identity,
  user_number int not null references users (number),
  kind text not null check (kind in ('loss', 'stake')),
  amount bigint check (amount >= 0), -- null: no limit
  asked_at timestamptz not null default clock_timestamp(),
  acts_at timestamptz not null,
  nonce text,
  signature text,
  unique (user_number, nonce),
  check (acts_at >= asked_at and (nonce is null) = (signature is null))
);
create index colour_limits_user on colour_limits (user_number, kind, id);

create table colour_exclusions (
  id bigint primary key generated always as identity,
  user_number int not null references users (number),
  from_at timestamptz not null default clock_timestamp(),
  until_at timestamptz not null check (until_at > from_at)
);
create index colour_exclusions_user on colour_exclusions (user_number, until_at);

grant select on colour_chains to wellplay_app;
grant select, delete on colour_upline_queue to wellplay_app;
grant select, insert on colour_rounds, colour_bets, colour_uplines, colour_wallet_moves, colour_limits,
  colour_exclusions to wellplay_app;
grant update (state, block_number, block_hash, block_at, seed, draw, outcome, finished_at) on colour_rounds
  to wellplay_app;
