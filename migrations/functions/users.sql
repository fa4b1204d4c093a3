-- A user's place in the referral tree, the columns of a user that never change, the user's wallets, deleted users, and the
-- first bound session.

-- The path of a new user is built from the sponsor's path. The sponsor signed up earlier, so no cycle can form.
create or replace function users_take_their_place() returns trigger language plpgsql as $$
begin
  if new.sponsor_number is null then
    new.path := array[new.number];
    return new;
  end if;
  select path || new.number into new.path from users where number = new.sponsor_number;
  if not found then
    raise exception 'sponsor % of user % does not exist', new.sponsor_number, new.number
      using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;
create or replace trigger users_take_their_place before insert on users
  for each row execute function users_take_their_place();

create or replace function user_is_deleted(in_user int) returns boolean language sql stable
return exists (select from users where number = in_user and deleted_at is not null);

-- An address without a key: the last 20 bytes of a hash. Different for each user.
create or replace function deleted_address(in_id uuid) returns text language sql immutable
return '0x' || right(encode(sha256(convert_to('deleted ' || in_id, 'UTF8')), 'hex'), 40);

-- Whether this is the change that deletes a user, and no other. Only account_delete (deletion.sql) makes it: no process
-- may write these columns.
create or replace function users_is_deletion(old users, new users) returns boolean language sql immutable
return new.deleted_at is not null
  and (new.username, new.wallet_address, new.points, new.avatar)
    is not distinct from ('deleted_' || new.number, deleted_address(new.id), 0, null)
  and new.referral_code <> old.referral_code
  and coalesce(new.deleted_wallet, old.wallet_address) = old.wallet_address
  and (new.id, new.number, new.path, new.sponsor_number) is not distinct from (old.id, old.number, old.path, old.sponsor_number);

create or replace function users_are_fixed() returns trigger language plpgsql as $$
begin
  if old.deleted_at is not null then raise exception 'user % is deleted', old.number; end if;
  if users_is_deletion(old, new) then return new; end if;
  if (new.deleted_at, new.deleted_wallet, new.given_up) is distinct from (null, null, null) then
    raise exception 'a user is deleted as a whole';
  end if;
  if (new.id, new.number, new.referral_code, new.path, new.sponsor_number)
     is distinct from (old.id, old.number, old.referral_code, old.path, old.sponsor_number) then
    raise exception 'the identity and sponsor of a user never change';
  end if;
  if new.wallet_address <> old.wallet_address and not exists (select from wallet_changes
      where user_number = new.number and (from_wallet, to_wallet) = (old.wallet_address, new.wallet_address)
        and cancelled_at is null and done_at is null and takes_effect_at <= clock_timestamp()) then
    raise exception 'the wallet of a user changes only as both wallets signed, after the delay';
  end if;
  return new;
end $$;
create or replace trigger users_are_fixed before update on users for each row execute function users_are_fixed();

-- A wallet that another account had, or is about to get, cannot register. Registrations and requests take the same
-- advisory lock on the wallet before they look (users.ts), so of two at the same time the second one sees the first.
create or replace function users_have_new_wallets() returns trigger language plpgsql as $$
begin
  if exists (select from wallet_changes where cancelled_at is null and not user_is_deleted(user_number)
      and (from_wallet = new.wallet_address or to_wallet = new.wallet_address)) then
    raise exception 'the wallet % belongs to a change of wallet', new.wallet_address
      using errcode = 'unique_violation', constraint = 'users_have_new_wallets';
  end if;
  return new;
end $$;
create or replace trigger users_have_new_wallets before insert on users
  for each row execute function users_have_new_wallets();

-- Every wallet that is or was a user's, once. A deleted user has none.
create or replace view user_wallets as
select number as user_number, wallet_address from users where deleted_at is null
union all
select c.user_number, c.from_wallet from wallet_changes c
where c.done_at is not null and c.cancelled_at is null and not user_is_deleted(c.user_number)
  and not exists (select from users u where u.wallet_address = c.from_wallet)
  and not exists (select from wallet_changes later
    where later.from_wallet = c.from_wallet and later.cancelled_at is null and later.done_at > c.done_at
      and later.user_number = c.user_number);
grant select on user_wallets to wellplay_app;

-- The wallet that a user had at a time. That of a deleted user is kept if records of money name it.
create or replace function wallet_at(in_user_number int, in_at timestamptz) returns evm_address language sql stable
  return coalesce(
    (select from_wallet from wallet_changes where user_number = in_user_number and done_at > in_at
      order by done_at limit 1),
    (select coalesce(deleted_wallet, wallet_address) from users where number = in_user_number));

-- Remembers when a user first proved a browser key. Runs as the owner, so no role needs the right to set it.
create or replace function users_are_bound() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  update users set bound_at = new.created_at where number = new.user_number and bound_at is null;
  return null;
end $$;
create or replace trigger users_are_bound after insert on sessions
  for each row when (new.proof_key is not null) execute function users_are_bound();
