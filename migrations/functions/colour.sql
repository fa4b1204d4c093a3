-- The colour game: results, limits, seeds, and triggers that protect rounds and bets. What a new bet changes is in
-- colour_bets.sql.

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

-- A round keeps what it was opened with: its times come from the terms at its opening.
create or replace function colour_round_length(at timestamptz) returns interval language sql stable
return make_interval(secs => (terms_at(at) ->> 'colourRoundSeconds')::int);
create or replace function colour_betting_length(at timestamptz) returns interval language sql stable
return make_interval(secs => (terms_at(at) ->> 'colourBettingSeconds')::int);
create or replace function colour_result_seconds(at timestamptz) returns int language sql stable
return (terms_at(at) ->> 'colourResultSeconds')::int;

-- The opening time of the round at a given time, whether or not it exists.
create or replace function colour_opening(at timestamptz) returns timestamptz language sql stable
return date_bin(colour_round_length(at), at, timestamptz '2000-01-01Z');

-- The odds are no term: the same numbers are in src/protocol/colour-odds.ts, where everyone can recompute a draw. A test
-- compares them.
create or replace function colour_pays(colour colour) returns bigint language sql immutable
return case colour when 'violet' then 24 else 2 end;
create or replace function colour_of(draw int) returns colour language sql immutable
return case when draw < 48 then 'green' when draw < 96 then 'red' else 'violet' end::colour;

-- Without a result by then, every stake goes back.
create or replace function colour_deadline(round colour_rounds) returns timestamptz language sql immutable
return round.closes_at + make_interval(secs => round.result_seconds);

-- HMAC-SHA-256 (RFC 2104), for keys of up to 64 bytes.
create or replace function colour_hmac(key bytea, message bytea) returns bytea language plpgsql immutable strict as $$
declare
  inner_key bytea := decode(repeat('36', 64), 'hex');
  outer_key bytea := decode(repeat('5c', 64), 'hex');
begin
  for at in 0..length(key) - 1 loop
    inner_key := set_byte(inner_key, at, get_byte(inner_key, at) # get_byte(key, at));
    outer_key := set_byte(outer_key, at, get_byte(outer_key, at) # get_byte(key, at));
  end loop;
  return sha256(outer_key || sha256(inner_key || message));
end $$;

-- The draw of a round. `drawOf` in src/protocol/colour-draw.ts explains it; a test compares the two.
create or replace function colour_draw(seed bytea, round bigint, block_hash text) returns int
language plpgsql immutable strict as $$
declare
  digest bytea;
  word bigint;
  attempt int := 0;
begin
  loop
    digest := colour_hmac(seed, convert_to(
      concat_ws(':', round, block_hash, case when attempt > 0 then attempt end), 'UTF8'));
    for at in 0..7 loop
      word := ('x' || encode(substr(digest, at * 4 + 1, 4), 'hex'))::bit(32)::bigint;
      if word < 4294967200 then return word % 100; end if;
    end loop;
    attempt := attempt + 1;
  end loop;
end $$;

-- A round's seed, hashed down from the next stored one. No role may call it.
create or replace function colour_seed(round colour_rounds) returns bytea language plpgsql stable as $$
declare
  wanted int := (select round.number - first_round + 1 from colour_chains where id = round.chain_id);
  value bytea;
  at int;
begin
  select seed, position into value, at from colour_seeds
  where chain_id = round.chain_id and position >= wanted order by position limit 1;
  for step in 1..at - wanted loop value := sha256(value); end loop;
  return value;
end $$;

-- Draws a round: reveals its seed and stores the result. The block must be bound in an earlier, committed transaction,
-- so a process that has seen the draw cannot choose another block. Once the time for a result is over, only the seed of
-- a refunded round is revealed, so that the seeds after it can be checked.
create or replace function colour_reveal(in_round bigint) returns colour_rounds language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  round colour_rounds;
  value bytea;
begin
  select * into round from colour_rounds where number = in_round for update;
  if round.state = 'open' and round.bound_at is not null and round.bound_in is distinct from pg_current_xact_id()
      and clock_timestamp() <= colour_deadline(round) then
    value := colour_seed(round);
    update colour_rounds set state = 'drawn', seed = value, draw = colour_draw(value, number, block_hash),
      outcome = colour_of(colour_draw(value, number, block_hash))
    where number = in_round returning * into round;
  elsif round.state = 'refunded' and round.seed is null and round.created_in is distinct from pg_current_xact_id() then
    update colour_rounds set seed = colour_seed(round) where number = in_round returning * into round;
  else
    raise exception 'the seed of round % cannot be revealed now', in_round using errcode = 'insufficient_privilege';
  end if;
  return round;
end $$;

-- Whether a round of this opening time may begin now. The terms must be the same now and at its opening, and the round
-- before it must be closed.
create or replace function colour_may_open(opening timestamptz, at timestamptz) returns boolean language sql stable
return terms_at(opening) = terms_at(at)
  and opening >= coalesce((select closes_at from colour_rounds order by number desc limit 1), '-infinity');

-- Rounds are numbered without gaps, so each round uses the next seed of its chain. A round is the current one: with other
-- times, its seed could be revealed before or instead of others. When the terms change, the first round with the new
-- ones opens after the change, and after the last one with the old ones has closed.
create or replace function colour_rounds_open() returns trigger language plpgsql as $$
begin
  new.created_at := clock_timestamp();
  new.created_in := pg_current_xact_id();
  if new.number <> coalesce((select max(number) from colour_rounds), 0) + 1
    or not exists (select from colour_chains where id = new.chain_id and new.number >= first_round
      and new.number < first_round + length and created_at < new.created_at)
    or new.opens_at <> colour_opening(new.created_at) or not colour_may_open(new.opens_at, new.created_at)
    or new.closes_at <> new.opens_at + colour_betting_length(new.opens_at) or new.closes_at <= new.created_at
    or (new.pays_green, new.pays_red, new.pays_violet, new.result_seconds)
      <> (colour_pays('green'), colour_pays('red'), colour_pays('violet'), colour_result_seconds(new.opens_at))
    or (new.state, new.bets, new.block_hash) is distinct from ('open'::text, 0, null::text) then
    raise exception 'round % is not a valid next round', new.number using errcode = 'check_violation';
  end if;
  return new;
end $$;
create or replace trigger opens before insert on colour_rounds for each row execute function colour_rounds_open();

-- A round is bound to a block between closing and the time limit, then drawn, then settled. Without a result it is
-- refunded, but not before the time limit. Nothing is changed twice.
create or replace function colour_rounds_advance() returns trigger language plpgsql as $$
begin
  if (old.state, new.state) not in (('open', 'open'), ('open', 'drawn'), ('drawn', 'settled'), ('open', 'refunded'),
      ('refunded', 'refunded'))
    or (new.number, new.id, new.chain_id, new.opens_at, new.closes_at, new.created_at, new.created_in)
      is distinct from (old.number, old.id, old.chain_id, old.opens_at, old.closes_at, old.created_at, old.created_in)
    or (new.pays_green, new.pays_red, new.pays_violet, new.result_seconds)
      is distinct from (old.pays_green, old.pays_red, old.pays_violet, old.result_seconds)
    or (old.block_hash is not null or old.state <> 'open')
      and (new.block_number, new.block_hash, new.block_at, new.bound_at, new.bound_in)
      is distinct from (old.block_number, old.block_hash, old.block_at, old.bound_at, old.bound_in)
    or old.seed is not null
      and (new.seed, new.draw, new.outcome) is distinct from (old.seed, old.draw, old.outcome)
    or new.state = 'refunded' and old.state = 'open' and clock_timestamp() <= colour_deadline(old) then
    raise exception 'a round can only move forward' using errcode = 'restrict_violation';
  end if;
  if new.block_hash is not null and old.block_hash is null then
    new.bound_at := clock_timestamp();
    new.bound_in := pg_current_xact_id();
    -- The chain's clock may be a little ahead of ours.
    if new.bound_at < old.closes_at or new.bound_at > colour_deadline(old)
      or new.block_at > new.bound_at + interval '30 seconds' then
      raise exception 'this block cannot be bound to round % now', old.number using errcode = 'check_violation';
    end if;
  end if;
  if old.state = 'open' and new.state <> 'open' then new.finished_at := clock_timestamp(); end if;
  return new;
end $$;
create or replace trigger advances before update on colour_rounds for each row execute function colour_rounds_advance();
create or replace trigger kept before delete or truncate on colour_rounds
  for each statement execute function refuse_change();

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
create or replace trigger append_only before update or truncate on colour_limits
  for each statement execute function refuse_change();
create or replace trigger append_only before update or truncate on colour_exclusions
  for each statement execute function refuse_change();

revoke execute on function colour_create_chain, colour_reveal, colour_seed from public;
revoke execute on function colour_create_chain, colour_reveal from wellplay_app;
grant execute on function colour_create_chain, colour_reveal to wellplay_seeds;
-- So that the seeds process cannot withhold a draw that it does not like: the worker draws as well.
grant execute on function colour_reveal to wellplay_worker;
