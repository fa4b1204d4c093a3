-- Users, their sessions and their points.

-- PostgreSQL parses table checks for every statement, but domain checks only once per session. With byte order
-- (collate "C") the unique index on usernames also serves prefix searches.
create domain username as text collate "C" check (value ~ '^[a-z0-9_]{3,20}$');
create domain referral_code as text check (value ~ '^[A-Z0-9]{8}$');

create sequence users_number_seq as int;

create table users (
  id uuid primary key,
  -- Small and without large gaps: ledger account ids and referral paths are built from it.
  number int not null unique default nextval('users_number_seq'),
  username username not null unique,
  wallet_address evm_address not null unique,
  referral_code referral_code not null unique,
  -- No foreign key: it would lock the sponsor's row on every sign-up. The trigger users_take_their_place reads the
  -- sponsor's path instead, and users are never deleted.
  sponsor_number int,
  -- All ancestors, starting at the root, then the user. The trigger sets it at sign-up and it never changes, so no
  -- cycle can form.
  path int[] not null,
  points bigint not null default 0 check (points >= 0),
  frozen_at timestamptz,
  created_at timestamptz not null default now(),
  -- Hides the user's figures from their upline.
  hides_figures boolean not null default false,
  -- Hides the user from the games' leaderboards.
  hides_from_boards boolean not null default false
);
alter sequence users_number_seq owned by users.number;
create index users_sponsor on users (sponsor_number, number);
create index users_path on users (path);
-- For queries by day. Rows are inserted in time order, so a BRIN index needs only a few pages.
create index users_created on users using brin (created_at) with (pages_per_range = 16);

-- chain_claims is created before users, so its foreign key is added here.
alter table chain_claims add foreign key (user_number) references users (number);

create table sign_in_nonces (
  nonce text primary key,
  wallet_address text not null,
  created_at timestamptz not null default now()
);
create index sign_in_nonces_wallet on sign_in_nonces (wallet_address, created_at);

create table sessions (
  id uuid primary key,
  user_number int not null references users (number),
  -- Only the hash of the token is stored, so a copy of this table cannot be used to sign in.
  token_hash bytea not null unique check (length(token_hash) = 32),
  proof_key jsonb,
  device text not null default '',
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  ended_at timestamptz
);
create index sessions_user on sessions (user_number) where ended_at is null;
create index sessions_created on sessions using brin (created_at) with (pages_per_range = 16);
create index sessions_device on sessions ((proof_key ->> 'x')) where proof_key is not null;

create table session_proofs (
  session_id uuid not null references sessions (id),
  proof_hash text not null, -- of the token and the proof's `jti`
  used_at timestamptz not null default now(),
  primary key (session_id, proof_hash)
);

create table point_awards (
  user_number int not null references users (number),
  source text not null,
  reference text not null,
  points int not null check (points > 0),
  awarded_at timestamptz not null default now(),
  primary key (user_number, source, reference)
);
create index point_awards_recent on point_awards (awarded_at);

grant usage on sequence users_number_seq to wellplay_app;
grant select, insert on users, sessions, point_awards to wellplay_app;
grant update (points, frozen_at, hides_figures, hides_from_boards) on users to wellplay_app;
grant update (seen_at, ended_at) on sessions to wellplay_app;
grant select, insert, delete on sign_in_nonces, session_proofs to wellplay_app;
