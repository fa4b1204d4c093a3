-- Functions shared by several modules.
--
-- The files in this folder hold each module's functions, triggers and views. When a file changes, the whole file is
-- applied again, so everything in it is `create or replace`; objects it no longer defines are dropped. All tables exist
-- before the first file is applied. The files are applied in the order of the table files, with `ledger_audit.sql`
-- after `ledger.sql`. SQL functions and views are checked when they are created, so they can use only what is above
-- them or in an earlier file. Names inside PL/pgSQL are resolved at run time. Grants survive a replacement: to remove
-- one, write a `revoke`.

-- A UUID of version 7, which sorts by time. Servers older than 18 have no uuidv7() and take three times as long. This is
-- the only object that depends on the version of the server.
do $$
begin
  if current_setting('server_version_num')::int >= 180000 then
    create or replace function new_id() returns uuid language sql volatile parallel safe return uuidv7();
  else
    create or replace function new_id() returns uuid language sql volatile parallel safe
    return encode(
      set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) placing
        substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1),
      'hex')::uuid;
  end if;
end $$;

-- What is kept about the counted days of a history (platform/history-days.ts). These are functions and not subqueries,
-- because PostgreSQL calls a stable function when it plans a query. So it knows how few rows a range has, and does not
-- start workers or use an index on time to read it.
create or replace function history_rows_until(in_history text, in_owner bigint, in_filter jsonb, in_day date) returns bigint
language sql stable return coalesce((
  select rows_until from history_days
  where history = in_history and owner = in_owner and filter = in_filter and day <= in_day
  order by day desc limit 1), 0);

create or replace function history_last_day(in_history text, in_owner bigint) returns date language sql stable return (
  select day from history_days where history = in_history and owner = in_owner and filter = '{}' order by day desc limit 1);

-- Trigger function for tables whose rows must not be changed or deleted.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

create or replace trigger append_only before update or truncate on idempotency_keys
  for each statement execute function refuse_change();
