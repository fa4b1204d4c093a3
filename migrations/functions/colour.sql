-- The colour game: results, limits, seeds, and triggers that protect rounds and bets.

-- Every bet with its result. The result is computed from the round, because a bet's row is never updated.
create or replace view colour_results as
select b.id, b.round, b.user_number, b.colour, b.stake, b.placed_at, r.draw, r.outcome, r.finished_at,
  case r.state when 'open' then 'open' when 'refunded' then 'refunded'
    else case when b.colour = r.outcome then 'won' else 'lost' end end as state,
  case when r.state = 'refunded' then b.stake when b.colour = r.outcome then b.stake *
    case b.colour when 'green' then r.pays_green when 'red' then r.pays_red else r.pays_violet end
    else 0 end as payout
from colour_bets b join colour_rounds r on r.number = b.round;
grant select on colour_results to wellplay_app;

-- The user's limit of the given kind at a given time; null if there was none.
create or replace function colour_limit_at(in_user int, in_kind text, at timestamptz) returns bigint language sql stable
return (
  select l.amount from colour_limits l
  where l.user_number = in_user and l.kind = in_kind and l.acts_at <= at
    and not exists (select from colour_limits later
      where later.user_number = in_user and later.kind = in_kind and later.id > l.id and later.asked_at < l.acts_at)
  order by l.id desc limit 1);

-- The end of the user's self-exclusion that was active at a given time; null if there was none.
create or replace function colour_excluded_at(in_user int, at timestamptz) returns timestamptz language sql stable
return (select max(until_at) from colour_exclusions where user_number = in_user and from_at <= at and until_at > at);

-- Creates the next chain if there is none or the last one is almost used up, so that its anchor is public long before
-- its first round.
create or replace function colour_create_chain(in_length int) returns boolean language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  last_chain colour_chains;
  chain int;
  value bytea := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
  positions int[] := '{}';
  seeds bytea[] := '{}';
begin
  lock table colour_chains in share row exclusive mode;
  select * into last_chain from colour_chains order by first_round desc limit 1;
  if found and coalesce((select max(number) from colour_rounds), 0)
      < last_chain.first_round + last_chain.length - greatest(1, least(10000, last_chain.length / 10)) then
    return false;
  end if;
  for at in reverse in_length..1 loop
    if at = in_length or at % 1000 = 0 then
      positions := positions || at;
      seeds := seeds || value;
    end if;
    value := sha256(value);
  end loop;
  insert into colour_chains (anchor, length, first_round)
  values (value, in_length, coalesce(last_chain.first_round + last_chain.length, 1)) returning id into chain;
  insert into colour_seeds select chain, position, seed from unnest(positions, seeds) as t (position, seed);
  return true;
end $$;

-- Returns the seed of a round once it can no longer help a player. Either the block was bound in an earlier
-- transaction, so the binding cannot be rolled back after seeing the draw, or the time limit for a result has passed.
create or replace function colour_reveal(in_round bigint) returns bytea language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  round colour_rounds;
  wanted int;
  value bytea;
  at int;
begin
  select * into round from colour_rounds where number = in_round;
  if not found or not (coalesce(round.bound_at < now(), false)
      or round.closes_at + make_interval(secs => round.result_seconds) < now()) then
    raise exception 'the seed of round % cannot be revealed yet', in_round using errcode = 'insufficient_privilege';
  end if;
  select in_round - first_round + 1 into wanted from colour_chains where id = round.chain_id;
  select seed, position into value, at from colour_seeds
  where chain_id = round.chain_id and position >= wanted order by position limit 1;
  for step in 1..at - wanted loop value := sha256(value); end loop;
  return value;
end $$;

-- Rounds are numbered without gaps, so each round uses the next seed of its chain. After that, its state only moves
-- forward.
create or replace function colour_rounds_open() returns trigger language plpgsql as $$
begin
  new.created_at := clock_timestamp();
  if new.number <> coalesce((select max(number) from colour_rounds), 0) + 1
    or not exists (select from colour_chains where id = new.chain_id and new.number >= first_round
      and new.number < first_round + length and created_at < new.created_at)
    or (new.state, new.bets, new.block_hash) is distinct from ('open'::text, 0, null::text) then
    raise exception 'round % is not a valid next round', new.number using errcode = 'check_violation';
  end if;
  return new;
end $$;
create or replace trigger opens before insert on colour_rounds for each row execute function colour_rounds_open();

create or replace function colour_rounds_advance() returns trigger language plpgsql as $$
begin
  if old.state <> 'open'
    or (new.number, new.id, new.chain_id, new.opens_at, new.closes_at, new.created_at)
      is distinct from (old.number, old.id, old.chain_id, old.opens_at, old.closes_at, old.created_at)
    or (new.pays_green, new.pays_red, new.pays_violet, new.result_seconds)
      is distinct from (old.pays_green, old.pays_red, old.pays_violet, old.result_seconds)
    or (old.block_hash is not null and (new.block_number, new.block_hash, new.block_at, new.bound_at)
      is distinct from (old.block_number, old.block_hash, old.block_at, old.bound_at)) then
    raise exception 'a round can only move forward' using errcode = 'restrict_violation';
  end if;
  if new.block_hash is not null and old.block_hash is null then new.bound_at := now(); end if;
  return new;
end $$;
create or replace trigger advances before update on colour_rounds for each row execute function colour_rounds_advance();
create or replace trigger kept before delete or truncate on colour_rounds
  for each statement execute function refuse_change();

-- The UPDATE locks the round's row and reads the clock under the lock, so a bet that waited past closing time is
-- refused.
create or replace function colour_bets_enter() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  open boolean;
begin
  update colour_rounds set bets = bets + 1,
    stake_green = stake_green + case new.colour when 'green' then new.stake else 0 end,
    stake_red = stake_red + case new.colour when 'red' then new.stake else 0 end,
    stake_violet = stake_violet + case new.colour when 'violet' then new.stake else 0 end
  where number = new.round and state = 'open' and block_hash is null
  returning clock_timestamp(), clock_timestamp() between opens_at and closes_at - interval '1 microsecond'
  into new.placed_at, open;
  if open is not true then
    raise exception 'betting on round % is closed', new.round using errcode = 'WP001';
  end if;
  return new;
end $$;
create or replace trigger enters before insert on colour_bets for each row execute function colour_bets_enter();

create or replace function colour_bets_queue() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into colour_upline_queue values (new.id);
  return null;
end $$;
create or replace trigger queues after insert on colour_bets for each row execute function colour_bets_queue();

create or replace trigger append_only before update or delete or truncate on colour_chains
  for each statement execute function refuse_change();
create or replace trigger append_only before update or delete or truncate on colour_seeds
  for each statement execute function refuse_change();
create or replace trigger append_only before update or delete or truncate on colour_bets
  for each statement execute function refuse_change();
create or replace trigger append_only before update or delete or truncate on colour_uplines
  for each statement execute function refuse_change();
create or replace trigger append_only before update or delete or truncate on colour_wallet_moves
  for each statement execute function refuse_change();
create or replace trigger append_only before update or delete or truncate on colour_limits
  for each statement execute function refuse_change();
create or replace trigger append_only before update or delete or truncate on colour_exclusions
  for each statement execute function refuse_change();

revoke execute on function colour_create_chain, colour_reveal from public;
grant execute on function colour_create_chain, colour_reveal to wellplay_app;
