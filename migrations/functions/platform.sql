-- Functions shared by several modules.
--
-- The files in this folder hold each module's functions, triggers and views. When a file changes, the whole file is
-- applied again, so everything in it is `create or replace`; objects it no longer defines are dropped. All tables exist
-- before the first file is applied. The files are applied in the order of the table files, with `ledger_audit.sql`
-- after `ledger.sql`. SQL functions and views are checked when they are created, so they can use only what is above
-- them or in an earlier file. Names inside PL/pgSQL are resolved at run time. Grants survive a replacement: to remove
-- one, write a `revoke`.

-- Trigger function for tables whose rows must not be changed or deleted.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

create or replace trigger append_only before update or delete or truncate on idempotency_keys
  for each statement execute function refuse_change();
