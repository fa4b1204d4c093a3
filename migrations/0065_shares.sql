-- Public links to what a user shows to friends: a card with figures, as they were when the link was made. `link` is 128
-- random bits, so it cannot be guessed. Removing a link deletes its row. No figure is an amount of money.
create table shares (
  link text primary key check (link ~ '^[A-Za-z0-9_-]{22}$'),
  user_number int not null references users (number),
  kind text not null check (kind in ('rings', 'streak', 'quiz')),
  figures jsonb not null,
  -- The game whose questions friends can answer, too.
  game_id uuid references quiz_games (id),
  created_at timestamptz not null default now(),
  check ((kind = 'quiz') = (game_id is not null))
);
-- The same figures have one link, however often they are shared.
create unique index shares_same on shares (user_number, kind, figures);
create index shares_age on shares (created_at);

-- A duel: the questions of this game are dealt again. Such a game cannot be kept, because its answers may be known.
alter table quiz_guest_games add column duel_of uuid references quiz_games (id);

grant select on shares to wellplay_app;
grant insert, delete on shares to wellplay_api;
