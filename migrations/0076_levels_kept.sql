-- How a team stands level by level was counted from everybody below, which takes seconds at the top of a large network.
-- Now it is kept as the totals are: changes are appended, and folded into both.
create table team_levels (
  user_number int not null,
  depth smallint not null check (depth > 0),
  members int not null default 0,
  active int not null default 0,
  volume bigint not null default 0,
  primary key (user_number, depth)
) with (fillfactor = 70);
grant select, insert, update on team_levels to wellplay_app;

-- Folds at most so many changes and tells how many it took. Those of siblings have the same ancestors: they are one.
create function team_fold(batch int) returns bigint language sql
begin atomic
  with taken as (
    delete from team_deltas where ctid = any (array(select ctid from team_deltas limit batch))
    returning path, members, active, volume
  ), siblings as (
    select trim_array(path, 1) as above, sum(members) as members, sum(active) as active, sum(volume) as volume
    from taken group by 1
  ), changes as (
    select ancestor, cardinality(above) + 1 - place as depth, members, active, volume
    from siblings, unnest(above) with ordinality as step (ancestor, place)
  ), levels as (
    insert into team_levels as kept (user_number, depth, members, active, volume)
    select ancestor, depth, sum(members), sum(active), sum(volume) from changes group by ancestor, depth
    on conflict (user_number, depth) do update set members = kept.members + excluded.members,
      active = kept.active + excluded.active, volume = kept.volume + excluded.volume
  ), totals as (
    insert into team_totals as kept (user_number, direct, members, active, volume)
    select ancestor, coalesce(sum(members) filter (where depth = 1), 0), sum(members), sum(active), sum(volume)
    from changes group by ancestor
    on conflict (user_number) do update set direct = kept.direct + excluded.direct,
      members = kept.members + excluded.members, active = kept.active + excluded.active,
      volume = kept.volume + excluded.volume
  )
  select count(*) from taken;
end;

-- Exact at any moment, as team_totals_of is.
create function team_levels_of(of_user int)
returns table (depth int, members int, active int, volume bigint) language sql stable
begin atomic
  select part.depth::int, sum(part.members)::int, sum(part.active)::int, sum(part.volume)::bigint
  from (
    select l.depth, l.members, l.active, l.volume from team_levels l where l.user_number = of_user
    union all
    select cardinality(d.path) - array_position(d.path, of_user), d.members, d.active, d.volume
    from team_deltas d where of_user = any (d.path) and d.path[cardinality(d.path)] <> of_user
  ) part
  group by part.depth having sum(part.members) > 0 order by part.depth;
end;

-- What there is: nothing waits to be folded, and everybody is counted once for each who stands above.
select team_fold(2147483647);
delete from team_levels;
insert into team_levels (user_number, depth, members, active, volume)
select ancestor, cardinality(u.path) - place, count(*), count(*) filter (where a.balance > 0), coalesce(sum(a.balance), 0)
from users u left join ledger_accounts a on a.id = u.number::bigint * 16,
  unnest(u.path) with ordinality as step (ancestor, place)
where place < cardinality(u.path)
group by 1, 2;
