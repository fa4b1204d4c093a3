-- Old rows that are not money are deleted (functions/operators_retention.sql). Only `retention_sweep` deletes them, and it
-- checks their age, so no process keeps the right to delete them itself: with it, a stolen worker could delete a used
-- proof and send it again, or a count and call without limit.
revoke delete on session_proofs, sign_in_nonces from wellplay_worker;
revoke select, update, delete on rate_counts from wellplay_worker;

-- Find rows by age. A BRIN index does not help here: new rows fill the pages of deleted ones, and its ranges never become
-- smaller again. Building one stops writes to its table for about a second per million rows. A total is updated often, but
-- its day never, so the updates stay in their page and do not touch the index.
create index sessions_age on sessions (created_at);
drop index sessions_created;
create index transfer_allowances_age on transfer_allowances (day);
create index colour_daily_totals_age on colour_daily_totals (day);

-- Replaced by the loop that sweeps all tables.
delete from jobs where name in ('sweep-sign-ins', 'sweep-rate-counts');
