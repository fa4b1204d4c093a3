-- Triggers that protect the publisher's calls (../0044_chain_vault_calls.sql).

create or replace trigger append_only before update or delete or truncate on vault_call_attempts
  for each statement execute function refuse_change();

create or replace function vault_calls_close_once() returns trigger language plpgsql as $$
begin
  if old.closed_at is not null then raise exception 'a closed call cannot be changed'; end if;
  return new;
end $$;
create or replace trigger close_once before update on vault_calls
  for each row execute function vault_calls_close_once();
create or replace trigger append_only before delete or truncate on vault_calls
  for each statement execute function refuse_change();
