-- Withdrawals: the requests, their states, and the operators' approvals. The signed payouts are in 0003_chain.sql.

create table withdrawals (
  id uuid primary key,
  user_number int not null references users (number),
  source text not null check (source in ('wallet', 'reward', 'referral')),
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee >= 0),
  net bigint not null generated always as (amount - fee) stored check (amount > fee),
  to_address evm_address not null,
  -- The user's wallet signs amount, address, nonce and deadline (R11). A nonce can be used only once.
  nonce text not null check (nonce ~ '^[0-9a-f]{32}$'),
  deadline timestamptz not null,
  signature text not null,
  state text not null check (state in ('requested', 'waiting', 'signed', 'sent', 'paid', 'refused', 'refunded')),
  -- Shown to the user: why the withdrawal is waiting, or why it was not paid.
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

-- The allowed state transitions. `requested` is ready to be paid; `waiting` needs an operator's decision.
create table withdrawal_steps (
  from_state text,
  to_state text not null,
  unique nulls not distinct (from_state, to_state)
);
insert into withdrawal_steps values
  (null, 'requested'), (null, 'waiting'), ('waiting', 'requested'), ('waiting', 'refused'), ('requested', 'signed'),
  ('signed', 'sent'), ('signed', 'paid'), ('signed', 'refunded'), ('sent', 'paid'), ('sent', 'refunded');

-- Every state transition, written by triggers.
create table withdrawal_changes (
  withdrawal_id uuid not null references withdrawals (id),
  ordinal int not null,
  from_state text,
  to_state text not null,
  note text,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (withdrawal_id, ordinal)
);

-- Approvals by operators. Large withdrawals need two.
create table withdrawal_approvals (
  withdrawal_id uuid not null references withdrawals (id),
  operator text not null,
  approved_at timestamptz not null default now(),
  primary key (withdrawal_id, operator)
);

grant select on withdrawal_steps, withdrawal_changes to wellplay_app;
grant select, insert on withdrawals, withdrawal_approvals to wellplay_app;
grant update (state, note, tx_hash, confirmations, confirmations_needed) on withdrawals to wellplay_app;
