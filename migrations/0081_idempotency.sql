-- Replies of calls that change something, found by the caller's key (platform/idempotency.ts). Append-only (R2).
create table idempotency_keys (
  user_number integer not null,
  scope text not null, -- the route of an Idempotency-Key header, or the kind of a natural key
  key text not null,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  reply jsonb not null,
  stored_at timestamptz not null default now(),
  primary key (user_number, scope, key)
);
create trigger append_only before update or delete or truncate on idempotency_keys
  for each statement execute function refuse_change();
grant select, insert on idempotency_keys to wellplay_app;

drop table plan_calls;
alter table colour_uplines drop column call_id;
