-- Acts of operators that move more than one of them may move alone.
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

create function operator_requests_approve_once() returns trigger language plpgsql as $$
begin
  if old.approved_by is not null then raise exception 'approved already'; end if;
  return new;
end $$;
create trigger approve_once before update on operator_requests
  for each row execute function operator_requests_approve_once();

grant select, insert on operator_requests to wellplay_app;
grant update (approved_by, approved_at) on operator_requests to wellplay_app;
