-- Changes of a user's wallet. Both wallets sign; the change is done 48 hours later, unless the user stops it. A former
-- wallet stays the user's: what it pays us is theirs, and no other account can get it.
create table wallet_changes (
  id uuid primary key,
  user_number int not null references users (number),
  from_wallet evm_address not null,
  to_wallet evm_address not null,
  -- Both wallets sign the account, both addresses, nonce and deadline (R11). A nonce can be used only once.
  nonce text not null check (nonce ~ '^[0-9a-f]{32}$'),
  deadline timestamptz not null,
  from_signature text not null,
  to_signature text not null,
  -- The database sets the times (functions/users_wallets.sql).
  asked_at timestamptz not null default clock_timestamp(),
  takes_effect_at timestamptz not null default clock_timestamp() + interval '48 hours',
  cancelled_at timestamptz,
  done_at timestamptz,
  tx bigint not null default pg_current_xact_id()::text::bigint,
  unique (user_number, nonce),
  check (from_wallet <> to_wallet),
  check (takes_effect_at >= asked_at + interval '48 hours'),
  check (done_at >= takes_effect_at),
  check (cancelled_at is null or done_at is null)
);
create unique index wallet_changes_open on wallet_changes (user_number) where cancelled_at is null and done_at is null;
create unique index wallet_changes_wanted on wallet_changes (to_wallet) where cancelled_at is null and done_at is null;
create index wallet_changes_from on wallet_changes (from_wallet) where cancelled_at is null;
create index wallet_changes_to on wallet_changes (to_wallet) where cancelled_at is null;
create index wallet_changes_done on wallet_changes (user_number, done_at) where done_at is not null;
create index wallet_changes_tx on wallet_changes using brin (tx);

grant select on wallet_changes to wellplay_app;
grant insert (id, user_number, from_wallet, to_wallet, nonce, deadline, from_signature, to_signature)
  on wallet_changes to wellplay_api;
grant update (cancelled_at) on wallet_changes to wellplay_api;
