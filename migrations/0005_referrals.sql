-- The referral network: team totals, and signals that several accounts belong to one person. The tree itself is in
-- users.path.

-- Team totals are not updated inline: a sign-up at depth 25 would lock 25 busy rows. Each change is appended with the
-- path of the member it concerns, and a job folds changes in batches. Reads add the few that are not folded yet.
-- Changes can be folded in any order, so they need no key.
create table team_deltas (
  path int[] not null,
  members int not null default 0,
  active int not null default 0,
  volume bigint not null default 0
);

create table team_totals (
  user_number int primary key references users (number),
  direct int not null default 0,
  members int not null default 0,
  active int not null default 0,
  volume bigint not null default 0
) with (fillfactor = 70);

-- The same totals per level. Counting the members of each level would take seconds at the top of a large network.
create table team_levels (
  user_number int not null,
  depth smallint not null check (depth > 0),
  members int not null default 0,
  active int not null default 0,
  volume bigint not null default 0,
  primary key (user_number, depth)
) with (fillfactor = 70);

-- Addresses that sent USDT to a user's own wallet before the user paid us. funding_checks stores the last block that
-- was searched for each user.
create table funding_sources (
  user_number int not null references users (number),
  from_address evm_address not null,
  found_at timestamptz not null default now(),
  primary key (user_number, from_address)
);
create index funding_sources_from on funding_sources (from_address);

create table funding_checks (
  user_number int primary key references users (number),
  block_number bigint not null
);

-- One signal per row: a shared device, a shared funding wallet, or a burst of sign-ups below one sponsor. One signal
-- alone does not hold a reward.
create table referral_flags (
  id uuid primary key,
  kind text not null check (kind in ('device', 'funding', 'burst')),
  key text not null,
  found_at timestamptz not null default now(),
  dismissed_by text,
  dismissed_at timestamptz,
  unique (kind, key),
  check ((dismissed_by is null) = (dismissed_at is null))
);

create table referral_flag_members (
  flag_id uuid not null references referral_flags (id),
  user_number int not null references users (number),
  primary key (user_number, flag_id)
);
create index referral_flag_members_flag on referral_flag_members (flag_id, user_number);

-- Referral rewards under review. Until the decision, the money is in the user's `hold` account.
create table referral_holds (
  id uuid primary key,
  -- The reward: order_id and level reference upline_rewards; 0006_plans.sql adds the foreign key.
  order_id uuid not null,
  level smallint not null,
  user_number int not null references users (number),
  -- Less than the reward if part of it was already spent; 0 if all of it was.
  amount bigint not null check (amount > 0 or state = 'spent'),
  -- At least two signals of different kinds.
  kinds text[] not null check (cardinality(kinds) >= 2),
  flags uuid[] not null,
  state text not null default 'held' check (state in ('held', 'released', 'forfeited', 'spent')),
  held_at timestamptz not null default now(),
  decided_by text,
  decided_at timestamptz,
  -- The operator's message to the user.
  note text,
  appeal_id uuid, -- references support_requests: 0013_support.sql adds the foreign key
  unique (order_id, level),
  check ((state = 'held') = (decided_at is null) and (decided_at is null) = (decided_by is null))
);
create index referral_holds_user on referral_holds (user_number, held_at desc);
create index referral_holds_open on referral_holds (held_at) where state = 'held';

grant select, insert, delete on team_deltas to wellplay_app;
grant select, insert, update on team_totals, team_levels to wellplay_app;
grant select, insert on funding_sources, funding_checks, referral_flags, referral_flag_members, referral_holds
  to wellplay_app;
grant update (block_number) on funding_checks to wellplay_app;
grant update (dismissed_by, dismissed_at) on referral_flags to wellplay_app;
grant update (state, decided_by, decided_at, note, appeal_id) on referral_holds to wellplay_app;
