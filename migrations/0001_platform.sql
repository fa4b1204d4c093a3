-- Tables that every feature shares: idempotency keys and scheduled jobs.
--
-- Each numbered file holds the tables of one module, in the module order of ARCHITECTURE.md. Once applied, it is never
-- edited: later changes go into new numbered files. Functions, triggers and views are in functions/<module>.sql.

-- Stored replies of calls that change something, by idempotency key (platform/idempotency.ts). Repeating a request
-- returns the stored reply (R2).
create table idempotency_keys (
  user_number int not null,
  scope text not null, -- the route for an Idempotency-Key header, or the kind of natural key
  key text not null,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  reply jsonb not null,
  stored_at timestamptz not null default now(),
  primary key (user_number, scope, key)
);

-- The last successful run of each scheduled job, shared by all workers. A job that one worker has run is not due for
-- the others. A missed job is due as soon as a worker starts.
create table jobs (
  name text primary key,
  ran_at timestamptz not null
);

grant select, insert on idempotency_keys to wellplay_app;
grant select, insert, update on jobs to wellplay_app;
