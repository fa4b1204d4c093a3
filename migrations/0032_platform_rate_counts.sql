-- Calls per caller and class of routes in the last minute, which all API processes share (platform/rate-counts.ts).
--
-- Unlogged: a count needs no WAL, so no call waits for the disk or the standby. After a crash or a failover the table is
-- empty, and every caller starts again at zero. Free space in each page lets an update stay in it.
create unlogged table rate_counts (
  key uuid primary key, -- a hash, so that no address of a visitor is stored
  calls int not null check (calls > 0),
  ends_at timestamptz not null
) with (fillfactor = 50);

grant select, insert, update on rate_counts to wellplay_api;
grant select, update, delete on rate_counts to wellplay_worker; -- deletes rows that it has locked
