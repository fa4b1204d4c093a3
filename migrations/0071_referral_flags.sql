-- Signs that accounts which look like many people are one, and the referral rewards held back because of them.

-- A held reward is moved money: out of the balance, back into it, or to the fees, from which the operator collects.
insert into ledger_rules
select rule.kind::ledger_kind, source.code, target.code, rule.users
from (values
  ('reward_hold', 'referral', 'hold', 'same'),
  ('reward_release', 'hold', 'referral', 'same'),
  ('reward_forfeit', 'hold', 'fees', 'any')
) as rule (kind, source, target, users)
join ledger_account_kinds source on source.name = rule.source
join ledger_account_kinds target on target.name = rule.target;

-- A sponsor was here before those he brought: nobody stands below himself, and no ring can close.
alter table users add constraint sponsor_came_before check (sponsor_number < number);

-- Read by the day; in the order of their arrival such an index is a few pages.
create index users_created on users using brin (created_at) with (pages_per_range = 16);
create index sessions_created on sessions using brin (created_at) with (pages_per_range = 16);
create index transfers_sent on transfers using brin (sent_at) with (pages_per_range = 16);
create index sessions_device on sessions ((proof_key ->> 'x')) where proof_key is not null;
-- One browser has one key for all its sessions: a proof made for one of them must not serve another.
create unique index session_proofs_nonce on session_proofs (nonce);

-- Who paid USDT into a user's own wallet before they paid us, as far as it was looked up.
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

-- One sign each: a device, a funding wallet, or a burst of sign-ups below one sponsor. Alone it holds nothing.
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

create table referral_holds (
  id uuid primary key,
  order_id uuid not null,
  level smallint not null,
  user_number int not null references users (number),
  -- What was there to hold: less than the reward when some of it was spent, nothing when all was.
  amount bigint not null check (amount > 0 or state = 'spent'),
  -- At least two signs of different kinds.
  kinds text[] not null check (cardinality(kinds) >= 2),
  flags uuid[] not null,
  state text not null default 'held' check (state in ('held', 'released', 'forfeited', 'spent')),
  held_at timestamptz not null default now(),
  decided_by text,
  decided_at timestamptz,
  -- The operator's words for the owner.
  note text,
  appeal_id uuid references support_requests (id),
  unique (order_id, level),
  foreign key (order_id, level) references upline_rewards (order_id, level),
  check ((state = 'held') = (decided_at is null) and (decided_at is null) = (decided_by is null))
);
create index referral_holds_user on referral_holds (user_number, held_at desc);
create index referral_holds_open on referral_holds (held_at) where state = 'held';

create function referral_holds_decide_once() returns trigger language plpgsql as $$
begin
  if old.state <> 'held' then raise exception 'what was decided stays decided'; end if;
  return new;
end $$;
create trigger decide_once before update on referral_holds for each row execute function referral_holds_decide_once();
create trigger kept before delete or truncate on referral_holds for each statement execute function refuse_change();

grant select, insert on funding_sources, funding_checks, referral_flags, referral_flag_members, referral_holds to wellplay_app;
grant update (block_number) on funding_checks to wellplay_app;
grant update (dismissed_by, dismissed_at) on referral_flags to wellplay_app;
grant update (state, decided_by, decided_at, note, appeal_id) on referral_holds to wellplay_app;

-- Who does not want to be named on the boards of the games.
alter table users add column hides_from_boards boolean not null default false;
grant update (hides_from_boards) on users to wellplay_app;
