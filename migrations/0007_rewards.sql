-- Daily rewards, rewards deferred until the pool is funded, and royalties.

-- One row per lot and day (R15). The key starts with the day, so the daily run appends to the end of the index. A
-- user's history is read by listing the days. There is no foreign key: it would cost a million checks a night, and
-- invariant 15 checks the same thing.
create table daily_rewards (
  earned_on date not null,
  user_number int not null,
  lot_number bigint not null,
  amount bigint not null check (amount > 0),
  health bigint not null check (health >= 0),
  -- The posting that paid it, except for the parts in reward_deferrals.
  reference uuid not null,
  primary key (earned_on, user_number, lot_number)
);

-- Rewards earned while the pool was empty. They are paid in primary-key order once the operator funds the pool.
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

-- A finished chunk of the daily run: 50,000 user numbers starting at chunk * 50,000. The primary key makes each chunk
-- run only once a day.
create table reward_runs (
  earned_on date not null,
  chunk int not null check (chunk >= 0),
  reference uuid not null,
  ran_at timestamptz not null default now(),
  primary key (earned_on, chunk)
);

-- A closed month: the balance of the royalty pool at its end, and the total weight of all users with a rank.
create table royalty_months (
  month date primary key check (extract(day from month) = 1),
  budget bigint not null check (budget >= 0),
  weight bigint not null check (weight >= 0),
  closed_at timestamptz not null default now()
);

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

grant select, insert on daily_rewards, reward_deferrals, reward_runs, royalty_months, royalty_shares to wellplay_app;
grant update (paid_by, paid_at) on reward_deferrals to wellplay_app;
grant update (paid_at) on royalty_shares to wellplay_app;
