-- News for users, written in the transaction of what they tell of (platform/news.ts). `key` names the event within its
-- kind, so that an event that is processed again cannot become news twice. No foreign key to users: it would lock the
-- user's row in every deposit. `planned`: the worker has decided which channels get it.
create table news (
  user_number int not null,
  id uuid not null,
  kind text not null,
  key text not null check (key <> ''),
  facts jsonb not null,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  planned boolean not null default false,
  primary key (user_number, id),
  unique (user_number, kind, key)
);
create index news_unread on news (user_number, id) where read_at is null;
create index news_unplanned on news (created_at) where not planned;
create index news_age on news using brin (created_at) with (pages_per_range = 16);

grant select on news to wellplay_app;
grant insert (user_number, id, kind, key, facts) on news to wellplay_api, wellplay_worker, wellplay_operator;
grant update (read_at) on news to wellplay_api;
grant update (planned) on news to wellplay_worker;
