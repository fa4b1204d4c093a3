-- Triggers that protect the chain tables (../0003_chain.sql, ../0022_chain_treasury.sql, ../0041_chain_vault.sql).

create or replace trigger append_only before update or delete or truncate on chain_payments
  for each statement execute function refuse_change();
create or replace trigger append_only before update or delete or truncate on chain_bookings
  for each statement execute function refuse_change();
create or replace trigger append_only before update or delete or truncate on chain_payout_attempts
  for each statement execute function refuse_change();
create or replace trigger append_only before update or delete or truncate on chain_wallets
  for each statement execute function refuse_change();
create or replace trigger append_only before update or delete or truncate on chain_treasury
  for each statement execute function refuse_change();

create or replace trigger append_only before update or delete or truncate on vault_payments
  for each statement execute function refuse_change();
create or replace trigger append_only before update or delete or truncate on vault_voids
  for each statement execute function refuse_change();

create or replace function chain_claims_close_once() returns trigger language plpgsql as $$
begin
  if old.state <> 'waiting' then raise exception 'a closed claim cannot be changed'; end if;
  return new;
end $$;
create or replace trigger close_once before update on chain_claims
  for each row execute function chain_claims_close_once();
