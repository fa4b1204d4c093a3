-- What a bet changes besides its own row: the stakes of its round, the player's daily totals and the upline queue.

-- All bets of one insert enter their round with one UPDATE. It locks the round's row and reads the clock under the lock,
-- so a bet that waited past closing time is refused. A bet's own time must be within its transaction, so that it cannot
-- be backdated.
create or replace function colour_bets_enter() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  closed bigint;
begin
  with entering as (
    select round, count(*)::int as bets, coalesce(sum(stake) filter (where colour = 'green'), 0)::bigint as green,
      coalesce(sum(stake) filter (where colour = 'red'), 0)::bigint as red,
      coalesce(sum(stake) filter (where colour = 'violet'), 0)::bigint as violet,
      min(placed_at) as first_at, max(placed_at) as last_at
    from added group by round
  ), entered as (
    update colour_rounds set bets = colour_rounds.bets + entering.bets, stake_green = stake_green + green,
      stake_red = stake_red + red, stake_violet = stake_violet + violet
    from entering
    where number = round and state = 'open' and block_hash is null
    returning number, first_at >= opens_at and first_at >= transaction_timestamp()
      and clock_timestamp() >= last_at and clock_timestamp() < closes_at as is_open
  )
  select round into closed from entering left join entered on number = round where is_open is not true limit 1;
  if found then
    raise exception 'betting on round % is closed', closed using errcode = 'WP001';
  end if;

  insert into colour_daily_totals as total (user_number, day, staked, lost)
  select user_number, (placed_at at time zone 'UTC')::date as day, sum(stake), sum(stake) from added
  group by 1, 2 order by 1, 2
  on conflict (user_number, day) do update
  set staked = total.staked + excluded.staked, lost = total.lost + excluded.lost;

  insert into colour_upline_queue select id from added;
  return null;
end $$;
create or replace trigger enter after insert on colour_bets referencing new table as added
  for each statement execute function colour_bets_enter();

-- Until a round is settled or refunded, its stakes count as lost. The transaction that finishes a round has locked the
-- accounts of all players it pays, and a group of bets locks its players' accounts first, so the two cannot deadlock.
create or replace function colour_rounds_total() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  update colour_daily_totals total
  set staked = total.staked - case new.state when 'refunded' then result.stake else 0 end,
    lost = total.lost - result.payout
  from (
    select user_number, (placed_at at time zone 'UTC')::date as day, sum(stake)::bigint as stake,
      sum(payout)::bigint as payout
    from colour_results where round = new.number and payout > 0 group by 1, 2
  ) result
  where total.user_number = result.user_number and total.day = result.day;
  return null;
end $$;
create or replace trigger total after update of state on colour_rounds
  for each row when (old.state <> new.state and new.state in ('settled', 'refunded'))
  execute function colour_rounds_total();

-- What a player staked and lost on a UTC day. A drawn round is paid a moment later. Its winnings already count, so they
-- are read from its bets; the bounds on the time let the index on user and time find them.
create or replace function colour_play_on(in_user int, in_day date) returns table (staked bigint, lost bigint)
language sql stable begin atomic
  select coalesce(total.staked, 0)::bigint, (coalesce(total.lost, 0) - coalesce((
    select sum(bet.payout) from colour_rounds round
      join colour_results bet on bet.round = round.number and bet.placed_at >= round.opens_at
        and bet.placed_at < round.closes_at
    where round.state = 'drawn' and bet.user_number = in_user and (bet.placed_at at time zone 'UTC')::date = in_day
  ), 0))::bigint
  from (values (in_user, in_day)) as asked (user_number, day) left join colour_daily_totals total using (user_number, day);
end;

-- The totals of the last days when the table is new. The triggers above count every later bet and result, and creating
-- them has waited for running ones. Older days are not needed.
insert into colour_daily_totals
select bet.user_number, (bet.placed_at at time zone 'UTC')::date,
  coalesce(sum(bet.stake) filter (where round.state <> 'refunded'), 0),
  sum(bet.stake - case when round.state in ('settled', 'refunded') then bet.payout else 0 end)
from colour_rounds round join colour_results bet on bet.round = round.number
where round.opens_at >= date_trunc('day', now(), 'UTC') - interval '2 days'
  and not exists (select from colour_daily_totals)
group by 1, 2;
