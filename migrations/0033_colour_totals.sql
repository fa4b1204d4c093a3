-- What each player staked and lost on a UTC day, so that a bet is checked against the player's limits with one look-up
-- instead of a sum over the day's bets. Only triggers write it (functions/colour_bets.sql).

create table colour_daily_totals (
  user_number int not null references users (number),
  day date not null,
  staked bigint not null check (staked >= 0), -- without the stakes of refunded rounds
  lost bigint not null, -- stakes less payouts; negative: the player has won
  primary key (user_number, day)
) with (fillfactor = 50); -- every bet and every payout updates a row, so leave room for the new versions in the page

grant select on colour_daily_totals to wellplay_app;

-- Bets are inserted in groups, and all bets of a group have one time, which is read under the players' locks. The
-- default is for inserts without a time.
alter table colour_bets alter column placed_at set default clock_timestamp();
