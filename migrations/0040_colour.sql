-- The colour game. The seeds of the draws live here and nowhere else: not even the application's role can read one
-- before its round is bound to a block, so whoever takes over the application still cannot know a draw in advance.

create type colour as enum ('green', 'red', 'violet');

-- A hash chain: seed n hashes to seed n - 1; seed 0 is the anchor, public before the chain's first round.
create table colour_chains (
  id int primary key generated always as identity,
  anchor bytea not null unique check (length(anchor) = 32),
  length int not null check (length between 1 and 10000000),
  first_round bigint not null unique check (first_round > 0),
  created_at timestamptz not null default clock_timestamp()
);

-- Every thousandth seed: those between are hashed from the next one above. No grant of any kind.
create table colour_seeds (
  chain_id int not null references colour_chains,
  position int not null,
  seed bytea not null check (length(seed) = 32),
  primary key (chain_id, position)
);

create table colour_rounds (
  number bigint primary key,
  id uuid not null unique, -- names the round in the ledger
  chain_id int not null references colour_chains,
  opens_at timestamptz not null unique,
  closes_at timestamptz not null check (closes_at > opens_at),
  state text not null default 'open' check (state in ('open', 'settled', 'refunded')),
  bets int not null default 0,
  stake_green bigint not null default 0 check (stake_green >= 0),
  stake_red bigint not null default 0 check (stake_red >= 0),
  stake_violet bigint not null default 0 check (stake_violet >= 0),
  -- The first block at or after closing, bound to the round before its seed is known.
  block_number bigint,
  block_hash text check (block_hash ~ '^0x[0-9a-f]{64}$'),
  block_at timestamptz check (block_at >= closes_at),
  bound_at timestamptz,
  seed bytea check (length(seed) = 32),
  draw smallint check (draw between 0 and 99),
  outcome colour,
  finished_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(block_number, block_hash, block_at, bound_at) in (0, 4)),
  check ((state = 'open') = (seed is null) and (state = 'open') = (finished_at is null)),
  check ((state = 'settled') = (draw is not null) and (state = 'settled') = (outcome is not null)),
  check (state <> 'settled' or block_hash is not null)
);
create index colour_rounds_unfinished on colour_rounds (number) where state = 'open';

create table colour_bets (
  id uuid primary key,
  round bigint not null references colour_rounds,
  user_number int not null references users (number),
  colour colour not null,
  stake bigint not null check (stake > 0),
  placed_at timestamptz not null
);
create index colour_bets_round on colour_bets (round, colour);
create index colour_bets_user on colour_bets (user_number, placed_at);

-- What a bet paid to up to three ancestors, nearest first: one row per bet, so once per bet.
create table colour_uplines (
  bet_id uuid primary key references colour_bets,
  ancestors int[] not null,
  amounts bigint[] not null,
  call_id uuid unique, -- the call that asked for it; the sweep has none
  paid_at timestamptz not null default now(),
  check (cardinality(ancestors) = cardinality(amounts) and cardinality(ancestors) <= 3 and 0 <= all (amounts))
);

-- Bets whose upline is still to be paid: a work list.
create table colour_upline_queue (
  bet_id uuid primary key references colour_bets
);

-- Moves between the wallet and the bet wallet; deposits from the chain are in chain_claims.
create table colour_wallet_moves (
  id uuid primary key,
  user_number int not null references users (number),
  direction text not null check (direction in ('deposit', 'withdraw')),
  amount bigint not null check (amount > 0),
  moved_at timestamptz not null default now()
);
create index colour_wallet_moves_user on colour_wallet_moves (user_number, moved_at);

-- Limits a player sets: the newest change that acts is in force. A later change ends one that does not act yet.
create table colour_limits (
  id bigint primary key generated always as identity,
  user_number int not null references users (number),
  kind text not null check (kind in ('loss', 'stake')),
  amount bigint check (amount >= 0), -- null: no limit
  asked_at timestamptz not null default clock_timestamp(),
  acts_at timestamptz not null,
  nonce text,
  signature text,
  unique (user_number, nonce),
  check (acts_at >= asked_at and (nonce is null) = (signature is null))
);
create index colour_limits_user on colour_limits (user_number, kind, id);

create table colour_exclusions (
  id bigint primary key generated always as identity,
  user_number int not null references users (number),
  from_at timestamptz not null default clock_timestamp(),
  until_at timestamptz not null check (until_at > from_at)
);
create index colour_exclusions_user on colour_exclusions (user_number, until_at);

-- What a colour pays, in stakes. src/protocol/colour-draw.ts says the same; a test compares the two.
create function colour_pays(in_colour colour) returns bigint language sql immutable parallel safe
return case in_colour when 'violet' then 24 else 2 end;

-- Every bet with what became of it: nothing about a bet is ever written twice.
create view colour_results as
select b.id, b.round, b.user_number, b.colour, b.stake, b.placed_at, r.draw, r.outcome, r.finished_at,
  case r.state when 'open' then 'open' when 'refunded' then 'refunded'
    else case when b.colour = r.outcome then 'won' else 'lost' end end as state,
  case when r.state = 'refunded' then b.stake when b.colour = r.outcome then b.stake * colour_pays(b.colour) else 0 end
    as payout
from colour_bets b join colour_rounds r on r.number = b.round;

-- The limit of a kind that was in force for a user at a moment; null when there was none.
create function colour_limit_at(in_user int, in_kind text, at timestamptz) returns bigint language sql stable
return (
  select l.amount from colour_limits l
  where l.user_number = in_user and l.kind = in_kind and l.acts_at <= at
    and not exists (select from colour_limits later
      where later.user_number = in_user and later.kind = in_kind and later.id > l.id and later.asked_at < l.acts_at)
  order by l.id desc limit 1);

create function colour_excluded_at(in_user int, at timestamptz) returns timestamptz language sql stable
return (select max(until_at) from colour_exclusions where user_number = in_user and from_at <= at and until_at > at);

-- Makes the next chain, if there is none or the last is near its end, so that its anchor is public long before.
create function colour_create_chain(in_length int) returns boolean language plpgsql security definer
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

-- The seed of a round, once nothing can be won by knowing it: its block is bound by an earlier transaction, so that
-- nobody can look at the draw and take the binding back, or the time for a result is over.
create function colour_reveal(in_round bigint) returns bytea language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  round colour_rounds;
  wanted int;
  value bytea;
  at int;
begin
  select * into round from colour_rounds where number = in_round;
  if not found or not (coalesce(round.bound_at < now(), false)
      or round.closes_at + interval '60 seconds' < now()) then
    raise exception 'the seed of round % is not due yet', in_round using errcode = 'insufficient_privilege';
  end if;
  select in_round - first_round + 1 into wanted from colour_chains where id = round.chain_id;
  select seed, position into value, at from colour_seeds
  where chain_id = round.chain_id and position >= wanted order by position limit 1;
  for step in 1..at - wanted loop value := sha256(value); end loop;
  return value;
end $$;

-- A round opens on the next seed of its chain and then only moves forward.
create function colour_rounds_open() returns trigger language plpgsql as $$
begin
  new.created_at := clock_timestamp();
  if new.number <> coalesce((select max(number) from colour_rounds), 0) + 1
    or not exists (select from colour_chains where id = new.chain_id and new.number >= first_round
      and new.number < first_round + length and created_at < new.created_at)
    or (new.state, new.bets, new.block_hash) is distinct from ('open'::text, 0, null::text) then
    raise exception 'round % does not follow' , new.number using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger opens before insert on colour_rounds for each row execute function colour_rounds_open();

create function colour_rounds_advance() returns trigger language plpgsql as $$
begin
  if old.state <> 'open'
    or (new.number, new.id, new.chain_id, new.opens_at, new.closes_at, new.created_at)
      is distinct from (old.number, old.id, old.chain_id, old.opens_at, old.closes_at, old.created_at)
    or (old.block_hash is not null and (new.block_number, new.block_hash, new.block_at, new.bound_at)
      is distinct from (old.block_number, old.block_hash, old.block_at, old.bound_at)) then
    raise exception 'a round never goes back' using errcode = 'restrict_violation';
  end if;
  if new.block_hash is not null and old.block_hash is null then new.bound_at := now(); end if;
  return new;
end $$;
create trigger advances before update on colour_rounds for each row execute function colour_rounds_advance();

-- A bet is taken while it holds the round's row, and the clock is read then: whoever waited too long is too late.
create function colour_bets_enter() returns trigger language plpgsql security definer
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
create trigger enters before insert on colour_bets for each row execute function colour_bets_enter();

create function colour_bets_queue() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  insert into colour_upline_queue values (new.id);
  return null;
end $$;
create trigger queues after insert on colour_bets for each row execute function colour_bets_queue();

create trigger append_only before update or delete or truncate on colour_chains
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on colour_seeds
  for each statement execute function refuse_change();
create trigger kept before delete or truncate on colour_rounds
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on colour_bets
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on colour_uplines
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on colour_wallet_moves
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on colour_limits
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on colour_exclusions
  for each statement execute function refuse_change();

revoke execute on function colour_create_chain, colour_reveal from public;
grant execute on function colour_create_chain, colour_reveal to wellplay_app;
grant select, delete on colour_upline_queue to wellplay_app;
grant select on colour_chains, colour_results to wellplay_app;
grant select, insert on colour_rounds, colour_bets, colour_uplines, colour_wallet_moves, colour_limits,
  colour_exclusions to wellplay_app;
grant update (state, block_number, block_hash, block_at, seed, draw, outcome, finished_at) on colour_rounds
  to wellplay_app;
