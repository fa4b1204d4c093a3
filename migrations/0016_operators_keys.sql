-- Operators prove each act with a key (R30): the act waits until enough operators have signed it, then it runs once.
-- This replaces the requests and approvals that only named an operator. What was waiting must be proposed again.

drop table operator_requests;
drop table withdrawal_approvals;

-- A key is an EVM address, so that a hardware wallet can hold it. Rows are written only by operator_perform.
create table operators (
  address evm_address primary key,
  name text not null unique check (name ~ '^[a-z][a-z0-9_-]{1,30}$'),
  enrolled_at timestamptz not null,
  revoked_at timestamptz
);

-- Every act and how many operators must sign it. README.md has the same table.
create table operator_act_kinds (
  act text primary key,
  signatures smallint not null check (signatures in (1, 2)),
  -- Up to this amount (micro-USDT) one signature is enough.
  alone_max bigint,
  -- Whether what one operator moved alone in the last 24 hours counts as well, so that an amount cannot be split.
  alone_adds_up boolean not null default false
);
insert into operator_act_kinds values
  ('operators enroll', 2), ('operators revoke', 2), ('users unfreeze', 2), ('resume', 2), ('adopt', 2), -- always two
  ('users freeze', 1), ('halt', 1), ('withdrawals reject', 1), ('holds release', 1), ('holds confirm', 1),
  ('flags dismiss', 1);
insert into operator_act_kinds values
  ('withdrawals approve', 2, 1000000000, false), -- per withdrawal: it is the user's own money
  ('fund', 2, 1000000000, true), ('collect-fees', 2, 1000000000, true), ('deposits claim', 2, 1000000000, true);

-- `payload` is the JSON text that is signed: the act, its id, the reason and all arguments. The other columns are read
-- from it, so they cannot differ from what the operators signed.
create table operator_acts (
  id uuid primary key,
  act text not null references operator_act_kinds,
  payload text not null,
  digest bytea not null check (digest = sha256(convert_to(payload, 'UTF8'))),
  details jsonb not null generated always as (payload::jsonb) stored,
  amount bigint generated always as (((payload::jsonb ->> 'amount')::numeric * 1000000)::bigint) stored,
  proposed_at timestamptz not null default now(),
  performed_at timestamptz,
  -- The transaction that performed it. What the act allows is allowed in this transaction only.
  performed_in xid8 unique,
  check (payload::jsonb ->> 'id' = id::text and payload::jsonb ->> 'act' = act),
  check (payload::jsonb ->> 'amount' ~ '^(0|[1-9][0-9]{0,11})(\.[0-9]{1,6})?$'),
  check ((performed_at is null) = (performed_in is null))
);
create index operator_acts_act on operator_acts (act, performed_at);
create index operator_acts_waiting on operator_acts (proposed_at) where performed_at is null;
create index operator_acts_withdrawal on operator_acts ((details ->> 'withdrawal'));

-- The first operator signs its own enrollment, so its row in `operators` follows in the same transaction.
create table operator_signatures (
  act_id uuid not null references operator_acts,
  operator evm_address not null references operators deferrable initially deferred,
  digest bytea not null,
  signature text not null check (signature ~ '^0x[0-9a-f]{130}$'),
  signed_at timestamptz not null default clock_timestamp(),
  primary key (act_id, operator)
);
create index operator_signatures_operator on operator_signatures (operator, signed_at);

-- Since when acts are signed. The audit does not expect signatures for what happened before.
create table operator_acts_since (
  at timestamptz primary key default now()
);
insert into operator_acts_since default values;

grant select on operators, operator_act_kinds, operator_acts, operator_signatures, operator_acts_since to wellplay_app;
grant insert (id, act, payload, digest) on operator_acts to wellplay_app;
grant insert (act_id, operator, digest, signature) on operator_signatures to wellplay_app;
