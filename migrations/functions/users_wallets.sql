-- Asking for another wallet, stopping the change, and doing it.

-- The caller chooses neither the times nor the old wallet. Operators' addresses are known only here: vault, keys and
-- deposit addresses.
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
        and (from_wallet = new.to_wallet or to_wallet = new.to_wallet)) then
    raise exception 'the wallet % is or was the wallet of an account', new.to_wallet
      using errcode = 'unique_violation', constraint = 'wallet_changes_taken';
  end if;
  if exists (select from chain_wallets where address = new.to_wallet)
      or exists (select from chain_key_places where address = new.to_wallet)
      or exists (select from chain_deposit_addresses where address = new.to_wallet)
      or exists (select from liability_snapshots where vault = new.to_wallet)
      or exists (select from operators where address = new.to_wallet) then
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

-- Does a due change and returns when; null if it cannot be done now: it was stopped or done, the user is frozen, or a
-- withdrawal to the old wallet is still open. Runs as the owner: no process may change a wallet in another way. The lock
-- on the user's row keeps withdrawals out, whose requests take a weaker lock on it. All sessions end, because the old
-- wallet may be stolen.
create or replace function wallet_change_do(in_id uuid) returns timestamptz language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  change wallet_changes;
  done timestamptz;
begin
  perform from users where number = (select user_number from wallet_changes where id = in_id) and frozen_at is null
    for update;
  if not found then return null; end if;
  select * into change from wallet_changes
  where id = in_id and cancelled_at is null and done_at is null and takes_effect_at <= clock_timestamp() for update;
  if not found or exists (select from withdrawals
      where user_number = change.user_number and state in ('requested', 'waiting', 'signed', 'sent')) then
    return null;
  end if;
  update users set wallet_address = change.to_wallet where number = change.user_number;
  update wallet_changes set done_at = clock_timestamp() where id = in_id returning done_at into done;
  update sessions set ended_at = clock_timestamp() where user_number = change.user_number and ended_at is null;
  return done;
end $$;
revoke execute on function wallet_change_do from public, wellplay_app;
grant execute on function wallet_change_do to wellplay_worker;
