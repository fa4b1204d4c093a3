-- Team totals, the maturity of rewards, and decisions about held ones.

create or replace function team_member_joined() returns trigger language plpgsql as $$
begin
  if new.sponsor_number is not null then insert into team_deltas (path, members) values (new.path, 1); end if;
  return null;
end $$;
create or replace trigger team_member_joined after insert on users for each row execute function team_member_joined();

-- Folds up to `batch` changes into totals, levels and blocks, and returns how many it folded. Siblings have the same ancestors,
-- so their changes are summed first.
create or replace function team_fold(batch int) returns bigint language sql
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
  ), joined as (
    select list, (select b.first from team_blocks b where b.list = key.list and b.first <= key.first
      order by b.first desc limit 1) as first, sum(members) as members
    from (
      select 'team' as list, path as first, members from taken where members <> 0
      union all
      select 'direct', path[cardinality(path) - 1:], members from taken where members <> 0
    ) key group by 1, 2
  ), blocks as (
    update team_blocks b set members = b.members + joined.members from joined
    where b.list = joined.list and b.first = joined.first
  )
  select count(*) from taken;
end;

-- The folded totals plus the changes not folded yet, read in one snapshot, so the result is always exact. PL/pgSQL
-- caches the query plans.
create or replace function team_totals_of(
  of_user int, out direct int, out members int, out active int, out volume bigint
) language plpgsql stable as $$
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

-- The same totals per level.
create or replace function team_levels_of(of_user int)
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

-- The part of a user's referral balance that may not leave yet, and when the next reward may. A reward waits as long as
-- the terms said when it was earned. A re top up or a hold takes the newest rewards first. So the entries are read from
-- the newest: what they spent is subtracted from the rewards before them.
create or replace function referral_maturity(
  in_user_number int, out immature bigint, out next_at timestamptz
) language plpgsql stable as $$
declare
  longest interval := (select make_interval(hours => 24 * max((terms ->> 'referralMatureDays')::int)) from terms_periods);
  wait interval;
  wait_since timestamptz := 'infinity';
  spent bigint := 0;
  entry record;
begin
  immature := 0;
  for entry in
    select amount, kind, posted_at from ledger_entries
    where account_id = in_user_number::bigint * 16 + ledger_account_code('referral') order by version desc
  loop
    exit when entry.posted_at <= now() - longest;
    -- Entries come newest first, so the terms change only where a version begins.
    if entry.posted_at < wait_since then
      select make_interval(hours => 24 * (terms ->> 'referralMatureDays')::int), starts_at into wait, wait_since
      from terms_periods where starts_at <= entry.posted_at order by starts_at desc limit 1;
    end if;
    if entry.kind in ('re_top_up', 'reward_hold') then
      spent := spent - entry.amount;
    elsif entry.kind in ('upline_reward', 'colour_upline', 'royalty') then
      if entry.amount > spent and entry.posted_at > now() - wait then
        immature := immature + entry.amount - spent;
        next_at := least(next_at, entry.posted_at + wait);
      end if;
      spent := greatest(spent - entry.amount, 0);
    end if;
  end loop;
end $$;

create or replace function referral_holds_decide_once() returns trigger language plpgsql as $$
begin
  -- The appeal is a support request, and goes with its user.
  if user_is_deleted(old.user_number) and to_jsonb(new) = to_jsonb(old) || '{"appeal_id": null}' then return new; end if;
  if old.state <> 'held' then raise exception 'this hold has already been decided'; end if;
  return new;
end $$;
create or replace trigger decide_once before update on referral_holds
  for each row execute function referral_holds_decide_once();
create or replace trigger kept before delete or truncate on referral_holds
  for each statement execute function refuse_change();
