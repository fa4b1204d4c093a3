-- Triggers that protect orders, lots and upline rewards (../0006_plans.sql).

create or replace function plan_orders_complete_once() returns trigger language plpgsql as $$
begin
  if (old.fee_completed_at is not null and new.fee_completed_at is distinct from old.fee_completed_at)
    or (old.upline_completed_at is not null and new.upline_completed_at is distinct from old.upline_completed_at) then
    raise exception 'this part of the order is already complete';
  end if;
  return new;
end $$;
create or replace trigger complete_once before update on plan_orders
  for each row execute function plan_orders_complete_once();
create or replace trigger kept before delete or truncate on plan_orders
  for each statement execute function refuse_change();

create or replace function plan_lots_mature_once() returns trigger language plpgsql as $$
begin
  if old.matured_at is not null then raise exception 'this lot has already matured'; end if;
  return new;
end $$;
create or replace trigger mature_once before update on plan_lots for each row execute function plan_lots_mature_once();
create or replace trigger kept before delete or truncate on plan_lots
  for each statement execute function refuse_change();

create or replace trigger kept before delete or truncate on upline_rewards
  for each statement execute function refuse_change();
