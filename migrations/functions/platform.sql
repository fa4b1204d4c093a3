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

-- Trigger function for tables whose rows must not be changed or deleted.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

create or replace trigger append_only before update or truncate on idempotency_keys
  for each statement execute function refuse_change();
