-- Transfers are append-only, and without a signature only within the allowance.

create or replace trigger append_only before update or delete or truncate on transfers
  for each statement execute function refuse_change();

-- Without a signature, a transfer must go to a recipient the user has sent a signed one to, and the day's total has a
-- limit. Runs as the owner and after the ledger locked the accounts. It handles all rows of a batch at once, in the
-- order of users, so that two batches cannot deadlock.
create or replace function transfers_stay_within_allowance() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  most bigint;
begin
  if exists (select from added a where a.predates_signatures or (a.signature is null and not exists (
      select from transfers t where t.from_number = a.from_number and t.to_number = a.to_number
        and (t.signature is not null or t.predates_signatures)))) then
    raise exception 'a transfer to a new recipient needs a signature'
      using errcode = 'check_violation', constraint = 'transfers_need_signature';
  end if;
  with counted as (
    insert into transfer_allowances as kept (from_number, day, amount)
    select from_number, (sent_at at time zone 'UTC')::date as day, sum(amount) from added where signature is null
    group by 1, 2 order by 1, 2
    on conflict (from_number, day) do update set amount = kept.amount + excluded.amount
    returning amount
  )
  select max(amount) into most from counted;
  if most > terms_amount(terms_at(now()), 'transferUnsignedDailyMax') then
    raise exception 'a transfer above the daily allowance needs a signature'
      using errcode = 'check_violation', constraint = 'transfers_need_signature';
  end if;
  return null;
end $$;
create or replace trigger within_allowance after insert on transfers referencing new table as added
  for each statement execute function transfers_stay_within_allowance();
