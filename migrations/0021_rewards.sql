-- Daily rewards, what waits for a funded pool, and royalty.

-- One row for each lot and day (R15), written in the order of the daily run so that a day is appended to the index; one
-- user's history is read by naming the days. No foreign key: a million checks a night, and invariant 15 looks too.
create table daily_rewards (
  earned_on date not null,
  user_number int not null,
  lot_number bigint not null,
  amount bigint not null check (amount > 0),
  health bigint not null check (health >= 0),
  -- The posting that paid it, save what reward_deferrals names.
  reference uuid not null,
  primary key (earned_on, user_number, lot_number)
);
create trigger append_only before update or delete or truncate on daily_rewards
  for each statement execute function refuse_change();

-- Earned, but the pool was empty. Paid in the order of this key when the operator funds it.
create table reward_deferrals (
  earned_on date not null,
  user_number int not null,
  lot_number bigint not null,
  part text not null check (part in ('reward', 'health')),
  amount bigint not null check (amount > 0),
  paid_by uuid,
  paid_at timestamptz,
  primary key (earned_on, user_number, lot_number, part),
  foreign key (earned_on, user_number, lot_number) references daily_rewards,
  check ((paid_by is null) = (paid_at is null))
);
create index reward_deferrals_open on reward_deferrals (part, earned_on, user_number, lot_number) where paid_by is null;
create index reward_deferrals_user on reward_deferrals (user_number, earned_on);
create index reward_deferrals_paid on reward_deferrals (paid_by) where paid_by is not null;

create function reward_deferrals_pay_once() returns trigger language plpgsql as $$
begin
  if old.paid_by is not null then raise exception 'a deferred reward is paid once'; end if;
  return new;
end $$;
create trigger pay_once before update on reward_deferrals for each row execute function reward_deferrals_pay_once();
create trigger kept before delete or truncate on reward_deferrals for each statement execute function refuse_change();

-- A finished piece of the daily run: users chunk * 50,000 and up, on that day. The key makes it once.
create table reward_runs (
  earned_on date not null,
  chunk int not null check (chunk >= 0),
  reference uuid not null,
  ran_at timestamptz not null default now(),
  primary key (earned_on, chunk)
);
create trigger append_only before update or delete or truncate on reward_runs
  for each statement execute function refuse_change();

-- A closed month: what the royalty pool held at its end, and each rank's share of it.
create table royalty_months (
  month date primary key check (extract(day from month) = 1),
  budget bigint not null check (budget >= 0),
  weight bigint not null check (weight >= 0),
  closed_at timestamptz not null default now()
);
create trigger append_only before update or delete or truncate on royalty_months
  for each statement execute function refuse_change();

create table royalty_shares (
  id uuid primary key,
  month date not null references royalty_months (month),
  user_number int not null references users (number),
  rank text not null,
  volume bigint not null,
  weight bigint not null check (weight > 0),
  amount bigint not null check (amount >= 0),
  paid_at timestamptz,
  unique (month, user_number)
);
create trigger kept before delete or truncate on royalty_shares for each statement execute function refuse_change();

grant select, insert on daily_rewards, reward_deferrals, reward_runs, royalty_months, royalty_shares to wellplay_app;
grant update (paid_by, paid_at) on reward_deferrals to wellplay_app;
grant update (paid_at) on royalty_shares to wellplay_app;
