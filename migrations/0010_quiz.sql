-- The quiz game: each game is a list of events that replays to its score.

create table quiz_games (
  id uuid primary key,
  user_number int not null references users (number),
  topic text check (topic in ('activity', 'nutrition', 'mindfulness', 'sleep')),
  -- The public seed moves the targets, the secret one chooses questions and shuffles options.
  seed bigint not null check (seed between 0 and 4294967295),
  deal_seed bytea not null check (length(deal_seed) = 32),
  started_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('completed', 'lives', 'stopped', 'expired')),
  score int check (score >= 0),
  hits int check (hits >= 0),
  combo_best int check (combo_best >= 0),
  points int check (points >= 0),
  check (num_nulls(ended_at, end_reason, score, hits, combo_best, points) in (0, 6))
);
create unique index quiz_games_open on quiz_games (user_number) where ended_at is null;
create index quiz_games_user on quiz_games (user_number, ended_at);
create index quiz_games_unfinished on quiz_games (started_at) where ended_at is null;

create table quiz_events (
  game_id uuid not null references quiz_games (id),
  number int not null check (number > 0),
  -- As the engine of the protocol writes and replays it.
  event jsonb not null,
  -- Of a deal only: which question, and which of its options stands where.
  question_id text,
  option_order smallint[] check (cardinality(option_order) = 4),
  recorded_at timestamptz not null default now(),
  primary key (game_id, number),
  check ((event ->> 'kind' = 'deal') = (question_id is not null)),
  check ((question_id is null) = (option_order is null))
);

-- Kept beside the games so that a leaderboard is one walk down an index.
create table quiz_bests (
  period text not null check (period in ('day', 'week', 'ever')),
  starts_on date not null,
  user_number int not null references users (number),
  score int not null check (score > 0),
  game_id uuid not null references quiz_games (id),
  reached_at timestamptz not null,
  primary key (period, starts_on, user_number)
);
create index quiz_bests_order on quiz_bests (period, starts_on, score desc, reached_at);

-- Signs the sample questions dealt to strangers, on every process alike.
create table quiz_keys (key bytea not null check (length(key) = 32));
insert into quiz_keys select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());

create function quiz_history_is_fixed() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'quiz_games' and tg_op = 'UPDATE' then
    if old.ended_at is null and (new.id, new.user_number, new.topic, new.seed, new.deal_seed, new.started_at)
       is not distinct from (old.id, old.user_number, old.topic, old.seed, old.deal_seed, old.started_at) then
      return new;
    end if;
  end if;
  raise exception 'what happened in a quiz game never changes';
end $$;
create trigger quiz_games_are_fixed before update or delete on quiz_games
  for each row execute function quiz_history_is_fixed();
create trigger quiz_events_are_fixed before update or delete on quiz_events
  for each row execute function quiz_history_is_fixed();

grant select, insert on quiz_games, quiz_events, quiz_bests to wellplay_app;
grant update (ended_at, end_reason, score, hits, combo_best, points) on quiz_games to wellplay_app;
grant update (score, game_id, reached_at) on quiz_bests to wellplay_app;
grant select on quiz_keys to wellplay_app;
