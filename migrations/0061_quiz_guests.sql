-- Quiz games of visitors without an account. One row per game: it is deleted after three days as a whole. The events have
-- the format of quiz_events; a game that its player keeps after signing up is copied there, under the same id. No address
-- and nothing else about the visitor is stored. The longest game has 67 events.
create table quiz_guest_games (
  id uuid primary key,
  seed bigint not null check (seed between 0 and 4294967295),
  deal_seed bytea not null check (length(deal_seed) = 32),
  started_at timestamptz not null,
  events jsonb not null default '[]' check (jsonb_array_length(events) <= 100)
);
create index quiz_guest_games_age on quiz_guest_games (started_at);

grant select on quiz_guest_games to wellplay_app;
grant insert, update (events) on quiz_guest_games to wellplay_api;
