-- A user's place in the referral tree, the columns of a user that never change, and the first bound session.

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

create or replace function users_are_fixed() returns trigger language plpgsql as $$
begin
  if (new.id, new.number, new.wallet_address, new.referral_code, new.path, new.sponsor_number)
     is distinct from (old.id, old.number, old.wallet_address, old.referral_code, old.path, old.sponsor_number) then
    raise exception 'the identity and sponsor of a user never change';
  end if;
  return new;
end $$;
create or replace trigger users_are_fixed before update on users for each row execute function users_are_fixed();

-- Remembers when a user first proved a browser key. Runs as the owner, so no role needs the right to set it.
create or replace function users_are_bound() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  update users set bound_at = new.created_at where number = new.user_number and bound_at is null;
  return null;
end $$;
create or replace trigger users_are_bound after insert on sessions
  for each row when (new.proof_key is not null) execute function users_are_bound();
