-- Triggers that protect the reward tables (../0007_rewards.sql).

create or replace trigger append_only before update or delete or truncate on daily_rewards
  for each statement execute function refuse_change();
create or replace trigger append_only before update or delete or truncate on reward_runs
  for each statement execute function refuse_change();
create or replace trigger append_only before update or delete or truncate on royalty_months
  for each statement execute function refuse_change();
create or replace trigger kept before delete or truncate on royalty_shares
  for each statement execute function refuse_change();

create or replace function reward_deferrals_pay_once() returns trigger language plpgsql as $$
begin
  if old.paid_by is not null then raise exception 'this deferred reward is already paid'; end if;
  return new;
end $$;
create or replace trigger pay_once before update on reward_deferrals
  for each row execute function reward_deferrals_pay_once();
create or replace trigger kept before delete or truncate on reward_deferrals
  for each statement execute function refuse_change();
