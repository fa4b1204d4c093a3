-- Pages and totals without counting: how many rows a long history has up to the end of each day.
--
-- A day is counted once, when none of its rows can change any more (platform/history-days.ts). So its counts never
-- change either, and a page deep in the history is found by a look-up. Short histories have no rows here.
create table history_days (
  history text not null,
  owner bigint not null, -- a user's number or an account
  filter jsonb not null, -- {} for all rows, or the values of the columns that a page is filtered by
  day date not null,
  rows_until bigint not null check (rows_until > 0),
  primary key (history, owner, filter, day)
);
create index history_days_position on history_days (history, owner, filter, rows_until);
grant select on history_days to wellplay_app;
grant insert on history_days to wellplay_api;
