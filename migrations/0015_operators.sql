-- Operator actions above the amount that one operator may move alone. A second operator must approve them.

create table operator_requests (
  id uuid primary key,
  act text not null,
  amount bigint not null check (amount > 0),
  details jsonb not null,
  asked_by text not null,
  why text not null,
  asked_at timestamptz not null default now(),
  approved_by text,
  approved_at timestamptz,
  check (approved_by <> asked_by),
  check ((approved_by is null) = (approved_at is null))
);

grant select, insert on operator_requests to wellplay_app;
grant update (approved_by, approved_at) on operator_requests to wellplay_app;
