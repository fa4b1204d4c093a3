-- What several modules use.
--
-- The files of this folder hold the functions, triggers and views of each module. A file is applied again, whole, when
-- its text changes, so everything in it is `create or replace`; what it no longer defines is dropped. All tables exist
-- before the first file is applied, and the files follow the order of the tables' files; `ledger_audit.sql` comes after
-- `ledger.sql`. SQL functions and views are checked when they are created: they can use only what is above them or in
-- an earlier file. Names inside PL/pgSQL are looked up when it runs. Rights outlive a replacement: to take one away,
-- write a `revoke`.

-- The trigger function of every table whose rows must not be changed or deleted.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

create or replace trigger append_only before update or delete or truncate on idempotency_keys
  for each statement execute function refuse_change();
