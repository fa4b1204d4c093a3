-- Every sign-up locked the row of its sponsor, to learn that it exists. Now the path is compared with the sponsor's,
-- which says more and locks nothing: users are never deleted, and their path never changes.
alter table users drop constraint users_sponsor_number_fkey;

create or replace function team_member_joined() returns trigger language plpgsql as $$
begin
  if new.sponsor_number is null then return null; end if;
  if not exists (select from users where number = new.sponsor_number and path || new.number = new.path) then
    raise exception 'user % does not stand right below a sponsor', new.number using errcode = 'foreign_key_violation';
  end if;
  insert into team_deltas (path, members) values (new.path, 1);
  return null;
end $$;

-- Changes are added and folded in any order: they need no name.
alter table team_deltas drop column id;
