-- Wellness: the activities that users log, the challenges they completed, and their rest days.

create table wellness_entries (
  id uuid primary key,
  user_number int not null references users (number),
  day_on date not null,
  kind text not null check (kind in ('steps', 'workout', 'meal', 'breathing', 'quiz')),
  amount int not null check (amount > 0 and amount <= 100000),
  detail text not null default '',
  parts text[] not null default '{}',
  source text not null
    check (source in ('manual', 'guide', 'game', 'apple_health', 'google_fit', 'health_connect', 'gpx')),
  created_at timestamptz not null,
  removed_at timestamptz
);
create index wellness_entries_day on wellness_entries (user_number, day_on) where removed_at is null;
-- Importing the same total twice creates one entry. A larger total from a later export becomes a second entry, and the
-- larger one counts.
create unique index wellness_entries_import on wellness_entries (user_number, day_on, kind, source, amount)
  where source in ('apple_health', 'google_fit', 'health_connect', 'gpx');
create unique index wellness_entries_meal on wellness_entries (user_number, day_on, detail)
  where kind = 'meal' and removed_at is null;
-- A game or a guided exercise counts once, however often it is reported.
create unique index wellness_entries_once on wellness_entries (user_number, source, detail)
  where source in ('guide', 'game');

create table wellness_completions (
  user_number int not null references users (number),
  day_on date not null,
  pillar text not null check (pillar in ('activity', 'nutrition', 'challenges', 'mindfulness')),
  completed_at timestamptz not null,
  primary key (user_number, day_on, pillar)
);

create table wellness_breathing (
  id uuid primary key,
  user_number int not null references users (number),
  exercise text not null,
  length_seconds int not null check (length_seconds > 0),
  started_at timestamptz not null,
  finished_at timestamptz
);

-- Rest days, at most two a week, that apply from a given Monday on.
create table wellness_rest_plans (
  user_number int not null references users (number),
  from_on date not null check (extract(isodow from from_on) = 1),
  weekdays int[] not null check (cardinality(weekdays) <= 2 and weekdays <@ array[0, 1, 2, 3, 4, 5, 6]),
  primary key (user_number, from_on)
);

create table wellness_friends (
  user_number int primary key references users (number),
  joined boolean not null
);

grant select, insert on wellness_entries, wellness_completions, wellness_breathing, wellness_rest_plans,
  wellness_friends to wellplay_app;
grant update (removed_at) on wellness_entries to wellplay_app;
grant update (finished_at) on wellness_breathing to wellplay_app;
grant update (weekdays) on wellness_rest_plans to wellplay_app;
grant update (joined) on wellness_friends to wellplay_app;
