-- What the platform stores for every feature.
--
-- Each numbered file holds the tables of one module, in the module order of ARCHITECTURE.md, and is never edited once
-- it is applied: later changes are new numbered files. Functions, triggers and views are in functions/<module>.sql.

-- Replies of calls that change something, found by the caller's key (platform/idempotency.ts). A repeat of the same
-- request gets the same reply (R2).
create table idempotency_keys (
  user_number int not null,
  scope text not null, -- the route of an Idempotency-Key header, or the kind of a natural key
  key text not null,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  reply jsonb not null,
  stored_at timestamptz not null default now(),
  primary key (user_number, scope, key)
);

-- The last successful run of each scheduled job. All workers share it: a job that one of them has run is not due for the
-- others, and a job that no worker ran in time is due when the next one starts.
create table jobs (
  name text primary key,
  ran_at timestamptz not null
);

grant select, insert on idempotency_keys to wellplay_app;
grant select, insert, update on jobs to wellplay_app;
