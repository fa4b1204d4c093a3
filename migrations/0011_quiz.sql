-- The quiz game. Each game is a list of events; replaying them gives the score.

create table quiz_games (
  id uuid primary key,
  user_number int not null references users (number),
  topic text check (topic in ('activity', 'nutrition', 'mindfulness', 'sleep')),
  -- `seed` is public and moves the targets. `deal_seed` is secret: it picks the questions and shuffles their options.
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
  -- In the format of src/protocol/quiz-engine.ts.
  event jsonb not null,
  -- Set only for a deal: the question, and the order in which its options are shown.
  question_id text,
  option_order smallint[] check (cardinality(option_order) = 4),
  recorded_at timestamptz not null default now(),
  primary key (game_id, number),
  check ((event ->> 'kind' = 'deal') = (question_id is not null)),
  check ((question_id is null) = (option_order is null))
);

-- Each user's best score per period, so that a leaderboard is one index scan.
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

-- Signs the sample questions for visitors without an account. Every process uses the same key.
create table quiz_keys (key bytea not null check (length(key) = 32));
insert into quiz_keys select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());

grant select, insert on quiz_games, quiz_events, quiz_bests to wellplay_app;
grant update (ended_at, end_reason, score, hits, combo_best, points) on quiz_games to wellplay_app;
grant update (score, game_id, reached_at) on quiz_bests to wellplay_app;
grant select on quiz_keys to wellplay_app;
