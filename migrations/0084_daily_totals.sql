-- One index instead of two. PostgreSQL has not counted the rows of a new day yet and expects to find none. It then took the
-- index on the day alone, and each transfer and bet read the totals of all users who were active that day. With the day
-- first, the key also finds old rows for the sweep.
alter table transfer_allowances drop constraint transfer_allowances_pkey, add primary key (day, from_number);
drop index transfer_allowances_age;
alter table colour_daily_totals drop constraint colour_daily_totals_pkey, add primary key (day, user_number);
drop index colour_daily_totals_age;
