-- Pages of long lists of members, found through blocks of neighbours (../0040_referrals_pages.sql).

-- The keys of a list from `first` on, up to `beyond`, which is not included. Users without a sponsor are in no team.
create or replace function team_keys(in_list text, first int[], beyond int[], skip bigint default 0, size int default null)
returns setof int[] language plpgsql stable as $$
begin
  if in_list = 'team' then
    return query select path from users where path >= first and path < coalesce(beyond, '{2147483647}')
      and cardinality(path) > 1 order by path offset skip limit size;
  else
    return query select array[sponsor_number, number] from users
      where (sponsor_number, number) >= (coalesce(first[1], 0), coalesce(first[2], 0))
        and (sponsor_number, number) < (coalesce(beyond[1], 2147483647), coalesce(beyond[2], 0))
      order by sponsor_number, number offset skip limit size;
  end if;
end $$;

-- The same for members that are not folded into the blocks yet.
create or replace function team_unfolded(in_list text, first int[], beyond int[]) returns setof int[] language sql stable
begin atomic
  select d.key from (
    select case in_list when 'team' then path else path[cardinality(path) - 1:] end as key
    from team_deltas where members <> 0
  ) d where d.key >= first and d.key < coalesce(beyond, '{2147483647}');
end;

-- A page of the keys that begin with `above`, after `skip` of them. Beyond the first `block_size`, whole blocks are
-- skipped. All queries see the snapshot of the calling one, so the page is what an offset would give.
create or replace function team_page(in_list text, above int[], skip bigint, size int, block_size int)
returns setof int[] language plpgsql stable as $$
declare
  start int[] := above || 0; -- before all longer keys, after the key itself
  beyond int[] := trim_array(above, 1) || (above[cardinality(above)] + 1);
  nearest int[];
  earlier bigint;
  block record;
begin
  if skip > block_size then
    select b.first into nearest from team_blocks b where b.list = in_list and b.first <= start
    order by b.first desc limit 1;
    select count(*) into earlier from team_keys(in_list, nearest, start);
    select passed.* into block from (
      select b.first, sum(b.members + coalesce(u.members, 0)) over (order by b.first rows unbounded preceding)
        - b.members - coalesce(u.members, 0) as keys
      from team_blocks b left join (
        select o.first, count(*) as members
        from team_unfolded(in_list, nearest, beyond) as key cross join lateral (
          select b.first from team_blocks b where b.list = in_list and b.first <= key order by b.first desc limit 1) o
        group by o.first
      ) u on u.first = b.first
      where b.list = in_list and b.first >= nearest and b.first < beyond
    ) passed where passed.keys <= skip + earlier order by passed.first desc limit 1;
    if block.first > start then
      start := block.first;
      skip := skip + earlier - block.keys;
    end if;
  end if;
  return query select * from team_keys(in_list, start, beyond, skip, size);
end $$;

-- Splits blocks that have grown to twice `block_size`, and makes the first ones. Runs with the lock of team_fold. One
-- statement counts the users and leaves out those that are not folded yet, so both are of the same snapshot.
create or replace function team_split(block_size int) returns void language plpgsql as $$
declare
  block record;
begin
  insert into team_blocks select list, '{}', 2147483647 from unnest(array['team', 'direct']) as list
  on conflict do nothing;
  for block in
    select b.list, b.first, (
      select n.first from team_blocks n where n.list = b.list and n.first > b.first order by n.first limit 1) as beyond
    from team_blocks b where b.members > 2 * block_size
  loop
    update team_blocks b set members = 0 where b.list = block.list and b.first = block.first;
    insert into team_blocks as kept (list, first, members)
    select block.list, case number when 0 then block.first else min(keys.key) end, count(*) - count(unfolded.key)
    from (
      select key, (row_number() over (order by key) - 1) / block_size as number
      from team_keys(block.list, block.first, block.beyond) as key
    ) keys left join team_unfolded(block.list, block.first, block.beyond) as unfolded (key) on unfolded.key = keys.key
    group by number
    on conflict (list, first) do update set members = excluded.members;
  end loop;
end $$;
