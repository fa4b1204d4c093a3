-- Internal transfers between users. Each row is committed together with its posting.

create table transfers (
  id uuid primary key,
  -- No foreign keys: locking both users' rows would be a fifth of the cost of a transfer. The posting already fails for
  -- users who do not exist, and users are never deleted.
  from_number int not null,
  to_number int not null,
  source text not null check (source in ('wallet', 'reward', 'referral')),
  amount bigint not null check (amount > 0),
  note text check (length(note) <= 140),
  sent_at timestamptz not null,
  check (from_number <> to_number)
);
create index transfers_from on transfers (from_number, sent_at);
create index transfers_to on transfers (to_number, sent_at);
create index transfers_sent on transfers using brin (sent_at) with (pages_per_range = 16);

grant select, insert on transfers to wellplay_app;
