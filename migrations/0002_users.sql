-- People, their sessions and their points.

create sequence users_number_seq as int;

create table users (
  id uuid primary key,
  -- Small and dense: ledger accounts and the referral tree are computed from it.
  number int not null unique default nextval('users_number_seq'),
  username text not null unique check (username ~ '^[a-z0-9_]{3,20}$'),
  wallet_address text not null unique check (wallet_address ~ '^0x[0-9a-f]{40}$'),
  referral_code text not null unique check (referral_code ~ '^[A-Z0-9]{8}$'),
  sponsor_number int references users (number),
  -- The ancestors from the root, and oneself last: fixed at sign-up, so no circle can ever arise.
  path int[] not null check (path[cardinality(path)] = number),
  points bigint not null default 0 check (points >= 0),
  frozen_at timestamptz,
  created_at timestamptz not null default now(),
  check ((sponsor_number is null) = (cardinality(path) = 1)),
  check (sponsor_number is null or path[cardinality(path) - 1] = sponsor_number)
);
alter sequence users_number_seq owned by users.number;
create index users_sponsor on users (sponsor_number, number);
create index users_path on users (path);

create function users_are_fixed() returns trigger language plpgsql as $$
begin
  if (new.id, new.number, new.wallet_address, new.referral_code, new.path, new.sponsor_number)
     is distinct from (old.id, old.number, old.wallet_address, old.referral_code, old.path, old.sponsor_number) then
    raise exception 'identity and sponsor of a user never change';
  end if;
  return new;
end $$;
create trigger users_are_fixed before update on users for each row execute function users_are_fixed();

create table sign_in_nonces (
  nonce text primary key,
  wallet_address text not null,
  created_at timestamptz not null default now()
);
create index sign_in_nonces_wallet on sign_in_nonces (wallet_address, created_at);

create table sessions (
  id uuid primary key,
  user_number int not null references users (number),
  -- Only the hash of the token is kept: a copy of this table signs nobody in.
  token_hash bytea not null unique check (length(token_hash) = 32),
  proof_key jsonb,
  device text not null default '',
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  ended_at timestamptz
);
create index sessions_user on sessions (user_number) where ended_at is null;

create table session_proofs (
  session_id uuid not null references sessions (id),
  nonce text not null,
  used_at timestamptz not null default now(),
  primary key (session_id, nonce)
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
grant select, insert on users, point_awards to wellplay_app;
grant update (points, frozen_at) on users to wellplay_app;
grant select, insert, delete on sign_in_nonces, session_proofs to wellplay_app;
grant select, insert on sessions to wellplay_app;
grant update (seen_at, ended_at) on sessions to wellplay_app;
