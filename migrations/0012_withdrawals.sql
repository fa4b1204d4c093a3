-- Money that leaves: what was asked, how it was decided, and the signed bytes that pay it.

create table withdrawals (
  id uuid primary key,
  user_number int not null references users (number),
  source text not null check (source in ('wallet', 'reward', 'referral')),
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee >= 0),
  net bigint not null generated always as (amount - fee) stored check (amount > fee),
  to_address evm_address not null,
  -- The user's own signature over amount, address, nonce and deadline (R11). A nonce serves once.
  nonce text not null check (nonce ~ '^[0-9a-f]{32}$'),
  deadline timestamptz not null,
  signature text not null,
  state text not null check (state in ('requested', 'waiting', 'signed', 'sent', 'paid', 'refused', 'refunded')),
  -- Why it does not go on just now, or why it ended without payment; in words for the user.
  note text,
  tx_hash evm_hash,
  confirmations int not null default 0,
  confirmations_needed int not null default 0,
  requested_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  unique (user_number, nonce)
);
create index withdrawals_user on withdrawals (user_number, requested_at desc);
create index withdrawals_open on withdrawals (requested_at) where state in ('requested', 'waiting', 'signed', 'sent');

-- The graph of states. `requested` is ready to be paid; `waiting` waits for an operator.
create table withdrawal_steps (
  from_state text,
  to_state text not null,
  unique nulls not distinct (from_state, to_state)
);
insert into withdrawal_steps values
  (null, 'requested'), (null, 'waiting'), ('waiting', 'requested'), ('waiting', 'refused'), ('requested', 'signed'),
  ('signed', 'sent'), ('signed', 'paid'), ('signed', 'refunded'), ('sent', 'paid'), ('sent', 'refunded');

create table withdrawal_changes (
  withdrawal_id uuid not null references withdrawals (id),
  ordinal int not null,
  from_state text,
  to_state text not null,
  note text,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (withdrawal_id, ordinal)
);

-- Every change of state follows the graph and is written down, whoever makes it.
create function withdrawals_step() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    if (new.id, new.user_number, new.source, new.amount, new.fee, new.to_address, new.nonce)
      is distinct from (old.id, old.user_number, old.source, old.amount, old.fee, old.to_address, old.nonce) then
      raise exception 'what was asked for never changes';
    end if;
    if new.state = old.state then return new; end if;
    new.changed_at := clock_timestamp();
  end if;
  if not exists (select from withdrawal_steps
      where from_state is not distinct from (case when tg_op = 'UPDATE' then old.state end) and to_state = new.state) then
    raise exception 'a withdrawal cannot go from % to %', case when tg_op = 'UPDATE' then old.state end, new.state;
  end if;
  if tg_op = 'INSERT' then return new; end if;
  insert into withdrawal_changes
  select new.id, count(*) + 1, old.state, new.state, new.note from withdrawal_changes where withdrawal_id = new.id;
  return new;
end $$;
create trigger step before insert or update on withdrawals for each row execute function withdrawals_step();

create function withdrawals_begin() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into withdrawal_changes values (new.id, 1, null, new.state, new.note);
  return null;
end $$;
create trigger begin_history after insert on withdrawals for each row execute function withdrawals_begin();

-- Operators who said yes. Large ones need two.
create table withdrawal_approvals (
  withdrawal_id uuid not null references withdrawals (id),
  operator text not null,
  approved_at timestamptz not null default now(),
  primary key (withdrawal_id, operator)
);

-- What left or is about to leave today (UTC), against the daily limit.
create function withdrawn_today(in_user_number int) returns bigint language sql stable
  return (
    select coalesce(sum(amount), 0)::bigint from withdrawals
    where user_number = in_user_number and state not in ('refused', 'refunded')
      and requested_at >= date_trunc('day', now(), 'UTC')
  );

-- A nonce of our hot wallet and what it pays. Taken, signed and stored in one transaction, before anything is sent.
create table chain_payouts (
  chain_id bigint not null,
  wallet evm_address not null,
  nonce bigint not null check (nonce >= 0),
  reference uuid not null unique,
  to_address evm_address not null,
  amount bigint not null check (amount > 0),
  -- Open until its outcome is final: paid, or failed for good.
  closed_at timestamptz,
  primary key (chain_id, wallet, nonce)
);
create index chain_payouts_open on chain_payouts (chain_id, wallet, nonce) where closed_at is null;

-- The signed bytes. A stuck one is replaced by another with the same nonce and a higher fee; only one can be mined.
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

create trigger append_only before update or delete or truncate on withdrawal_changes
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on withdrawal_approvals
  for each statement execute function refuse_change();
create trigger fixed before update or delete or truncate on withdrawal_steps
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on chain_payout_attempts
  for each statement execute function refuse_change();

grant select on withdrawal_steps, withdrawal_changes to wellplay_app;
grant select, insert on withdrawals, withdrawal_approvals, chain_payouts, chain_payout_attempts to wellplay_app;
grant update (state, note, tx_hash, confirmations, confirmations_needed) on withdrawals to wellplay_app;
grant update (closed_at) on chain_payouts to wellplay_app;
