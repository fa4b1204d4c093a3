-- Until when the shares of a month can be claimed. A month that was closed late can still be claimed until the end of
-- the month in which it was closed.
alter table royalty_months add column claimable_until date;
-- The table is append-only. Earlier rows get the term they were made with: the whole next month.
alter table royalty_months disable trigger user;
update royalty_months set claimable_until = (month + interval '2 months')::date - 1;
alter table royalty_months enable trigger user;
alter table royalty_months alter column claimable_until set not null,
  add check (claimable_until >= (month + interval '2 months')::date - 1);

create index royalty_shares_user on royalty_shares (user_number, month);
