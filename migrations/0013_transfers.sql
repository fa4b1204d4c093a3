-- What users send each other inside the product. Each row commits together with its posting.
create table transfers (
  id uuid primary key,
  from_number int not null references users (number),
  to_number int not null references users (number),
  source text not null check (source in ('wallet', 'reward', 'referral')),
  amount bigint not null check (amount > 0),
  note text check (length(note) <= 140),
  sent_at timestamptz not null,
  check (from_number <> to_number)
);
create index transfers_from on transfers (from_number, sent_at);
create index transfers_to on transfers (to_number, sent_at);

create trigger append_only before update or delete or truncate on transfers
  for each statement execute function refuse_change();
grant select, insert on transfers to wellplay_app;
