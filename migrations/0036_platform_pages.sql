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

-- Lists whose order changes are read from their nearer end: in the order of an index, and counted in it.
create index referral_holds_page on referral_holds (user_number, (state <> 'held'), held_at desc, id)
  where state <> 'spent';
create index support_requests_page on support_requests (user_number, updated_at desc, id);
drop index support_requests_user;

-- For the first reward of a user, and for exports, which read all rows of a user in the order of a key.
create index plan_lots_user on plan_lots (user_number, started_on, number);
create index sessions_export on sessions (user_number, created_at, id);
create index wellness_entries_export on wellness_entries (user_number, created_at, id);
create index wellness_breathing_export on wellness_breathing (user_number, started_at, id);

-- The landing page counts these rows by day. They are added in the order of time, so small BRIN indexes find a day.
create index wellness_entries_created on wellness_entries using brin (created_at) with (pages_per_range = 16);
create index wellness_completions_completed on wellness_completions using brin (completed_at) with (pages_per_range = 16);
