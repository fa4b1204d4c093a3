-- Asking for another wallet, and closing the change. `wallet_change_do` is in withdrawals_wallets.sql.

-- The caller chooses neither the times nor the old wallet. Addresses of ours are refused; those of operators in
-- operators_wallets.sql.
create or replace function wallet_changes_ask() returns trigger language plpgsql as $$
begin
  new.asked_at := clock_timestamp();
  new.takes_effect_at := new.asked_at + interval '48 hours';
  new.cancelled_at := null;
  new.done_at := null;
  -- A change that is being done holds the user's row. After it the old wallet is another one.
  perform from users where number = new.user_number and wallet_address = new.from_wallet and frozen_at is null
    for key share;
  if not found then
    raise exception 'user % is frozen or does not have the wallet %', new.user_number, new.from_wallet
      using errcode = 'unique_violation', constraint = 'wallet_changes_current';
  end if;
  if exists (select from users where wallet_address = new.to_wallet)
      or exists (select from wallet_changes where cancelled_at is null and user_number <> new.user_number
        and not user_is_deleted(user_number) and (from_wallet = new.to_wallet or to_wallet = new.to_wallet)) then
    raise exception 'the wallet % is or was the wallet of an account', new.to_wallet
      using errcode = 'unique_violation', constraint = 'wallet_changes_taken';
  end if;
  if exists (select from chain_wallets where address = new.to_wallet)
      or exists (select from chain_key_places where address = new.to_wallet)
      or exists (select from chain_deposit_addresses where address = new.to_wallet)
      or exists (select from chain_deposit_addresses where vault = new.to_wallet) then
    raise exception 'the address % is not the wallet of a user', new.to_wallet
      using errcode = 'unique_violation', constraint = 'wallet_changes_operator';
  end if;
  return new;
end $$;
create or replace trigger ask before insert on wallet_changes for each row execute function wallet_changes_ask();

-- An open change is stopped or done, once. Nothing else in it changes.
create or replace function wallet_changes_close() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - '{cancelled_at,done_at}'::text[]) is distinct from (to_jsonb(old) - '{cancelled_at,done_at}'::text[])
      or old.cancelled_at is not null or old.done_at is not null then
    raise exception 'a change of wallet can only be stopped or done, once';
  end if;
  if new.cancelled_at is not null then new.cancelled_at := clock_timestamp(); end if;
  if new.done_at is not null then new.done_at := clock_timestamp(); end if;
  return new;
end $$;
create or replace trigger close before update on wallet_changes for each row execute function wallet_changes_close();
create or replace trigger kept before truncate on wallet_changes for each statement execute function refuse_change();

-- An API process from before the column `wallet`, which still runs while a new version is rolled out, does not name it.
create or replace function chain_deposit_addresses_have_wallets() returns trigger language plpgsql as $$
begin
  new.wallet := coalesce(new.wallet, (select wallet_address from users where number = new.user_number));
  return new;
end $$;
create or replace trigger have_wallets before insert on chain_deposit_addresses
  for each row execute function chain_deposit_addresses_have_wallets();
