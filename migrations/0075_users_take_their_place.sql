-- The path of a new user is made here, out of their sponsor's: there is nothing left to compare, and no ring can close,
-- because whoever stands above was there before.
create function users_take_their_place() returns trigger language plpgsql as $$
begin
  if new.sponsor_number is null then
    new.path := array[new.number];
    return new;
  end if;
  select path || new.number into new.path from users where number = new.sponsor_number;
  if not found then
    raise exception 'user % has no sponsor %', new.number, new.sponsor_number using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;
create trigger users_take_their_place before insert on users for each row execute function users_take_their_place();

create or replace function team_member_joined() returns trigger language plpgsql as $$
begin
  if new.sponsor_number is not null then insert into team_deltas (path, members) values (new.path, 1); end if;
  return null;
end $$;

-- PostgreSQL reads the checks of a table anew for every insert, but those of a type once. In the order of bytes the
-- unique index serves a search by the beginning of a name as well.
create domain username as text collate "C" check (value ~ '^[a-z0-9_]{3,20}$');
create domain referral_code as text check (value ~ '^[A-Z0-9]{8}$');
drop index users_username_prefix;
alter table users
  drop constraint users_check, -- three of the path
  drop constraint users_check1,
  drop constraint users_check2,
  drop constraint sponsor_came_before,
  drop constraint users_username_check,
  drop constraint users_wallet_address_check,
  drop constraint users_referral_code_check,
  alter username type username,
  alter wallet_address type evm_address,
  alter referral_code type referral_code;
