-- Plans: orders (a purchase or a re top up), the lots they create, and the upline rewards.

create table plan_orders (
  id uuid primary key,
  user_number int not null references users (number),
  package_type smallint not null check (package_type between 1 and 6),
  source text not null check (source in ('chain', 'wallet', 'daily', 'referral')),
  -- The hash of the chain transaction, or `internal…`: the idempotency key of a movement inside the product.
  trans_hash text not null,
  claim_id uuid unique references chain_claims (id),
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee >= 0 and fee < amount),
  -- The inputs of the fee rule when the order was made. Invariant 13 recomputes the fee from them.
  plan_before bigint not null check (plan_before >= 0),
  fee_above bigint not null,
  fee_percent smallint not null check (fee_percent between 0 and 99),
  ordered_at timestamptz not null default now(),
  fee_completed_at timestamptz,
  upline_completed_at timestamptz,
  check ((source = 'chain') = (claim_id is not null)),
  check (
    case source when 'daily' then package_type = 5 when 'referral' then package_type = 6 else package_type < 5 end),
  constraint fee_follows_the_rule check (
    fee = case when package_type > 4 and plan_before > fee_above then amount * fee_percent / 100 else 0 end),
  check (fee > 0 or fee_completed_at is null)
);
create unique index plan_orders_internal on plan_orders (user_number, trans_hash) where source <> 'chain';
create index plan_orders_user on plan_orders (user_number, ordered_at desc, id desc);
create index plan_orders_open on plan_orders (ordered_at)
  where upline_completed_at is null or (fee > 0 and fee_completed_at is null);

-- Principal that earns a reward every day and returns to its owner at the end of the term. The key is a number, which
-- is smaller than a UUID: the daily run stores it in a row for each lot and day.
create table plan_lots (
  number bigint generated always as identity primary key,
  order_id uuid not null unique references plan_orders (id),
  user_number int not null references users (number),
  tier text not null,
  amount bigint not null check (amount > 0),
  daily_rate_ppm int not null check (daily_rate_ppm > 0),
  started_on date not null,
  matures_on date not null check (matures_on > started_on),
  matured_at timestamptz,
  maturity_reference uuid,
  check ((matured_at is null) = (maturity_reference is null))
);
create index plan_lots_active on plan_lots (user_number, number) where matured_at is null;
create index plan_lots_maturing on plan_lots (matures_on, number) where matured_at is null;

-- What each ancestor earns from an order, fixed when the order is posted. The posting with the key (upline_reward,
-- order id) pays it.
create table upline_rewards (
  order_id uuid not null references plan_orders (id),
  level smallint not null check (level > 0),
  user_number int not null references users (number),
  percent smallint not null check (percent > 0),
  amount bigint not null check (amount > 0),
  paid_at timestamptz,
  primary key (order_id, level)
);
create index upline_rewards_user on upline_rewards (user_number, order_id);
create index upline_rewards_unpaid on upline_rewards (order_id) where paid_at is null;

-- referral_holds is created before upline_rewards, so its foreign key is added here.
alter table referral_holds add foreign key (order_id, level) references upline_rewards (order_id, level);

grant select, insert on plan_orders, plan_lots, upline_rewards to wellplay_app;
grant update (fee_completed_at, upline_completed_at) on plan_orders to wellplay_app;
grant update (matured_at, maturity_reference) on plan_lots to wellplay_app;
grant update (paid_at) on upline_rewards to wellplay_app;
