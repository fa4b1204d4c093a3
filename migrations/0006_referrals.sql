-- The referral network. Who stands below whom is users.path, fixed at sign-up; here are the totals of each team.

-- Team totals are not updated inline: a sign-up at depth 25 would lock 25 busy rows. Each change is appended with the
-- path of the member it is about, and a job folds many at once. A read adds the few that are not folded yet.
create table team_deltas (
  id bigint generated always as identity primary key,
  path int[] not null,
  members int not null default 0,
  active int not null default 0,
  volume bigint not null default 0
);

create table team_totals (
  user_number int primary key references users (number),
  direct int not null default 0,
  members int not null default 0,
  active int not null default 0,
  volume bigint not null default 0
) with (fillfactor = 70);

create function team_member_joined() returns trigger language plpgsql as $$
begin
  if cardinality(new.path) > 1 then
    insert into team_deltas (path, members) values (new.path, 1);
  end if;
  return null;
end $$;
create trigger team_member_joined after insert on users for each row execute function team_member_joined();

-- Exact at any moment: what is folded and what is not yet, in one snapshot. A function, so that its plan is kept.
create function team_totals_of(of_user int, out direct int, out members int, out active int, out volume bigint)
language plpgsql stable as $$
declare
  fresh record;
begin
  select t.direct, t.members, t.active, t.volume into direct, members, active, volume
  from team_totals t where t.user_number = of_user;
  select coalesce(sum(case when d.path[cardinality(d.path) - 1] = of_user then d.members end), 0)::int as direct,
    coalesce(sum(d.members), 0)::int as members, coalesce(sum(d.active), 0)::int as active,
    coalesce(sum(d.volume), 0)::bigint as volume
  into fresh from team_deltas d where of_user = any (d.path) and d.path[cardinality(d.path)] <> of_user;
  direct := coalesce(direct, 0) + fresh.direct;
  members := coalesce(members, 0) + fresh.members;
  active := coalesce(active, 0) + fresh.active;
  volume := coalesce(volume, 0) + fresh.volume;
end $$;

-- A member may hide their figures from their upline.
alter table users add column hides_figures boolean not null default false;
grant update (hides_figures) on users to wellplay_app;
-- Search by the beginning of a name.
create index users_username_prefix on users (username text_pattern_ops);

grant select, insert, delete on team_deltas to wellplay_app;
grant select, insert, update on team_totals to wellplay_app;
