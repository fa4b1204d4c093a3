-- Transfers signed by the sender's wallet, and how much each user sent without a signature.

alter table transfers
  add column nonce text check (nonce ~ '^[0-9a-f]{32}$'),
  add column deadline timestamptz,
  add column signature text,
  -- True for the transfers that were sent before signatures existed.
  add column predates_signatures boolean not null default true,
  add check ((signature is null) = (nonce is null) and (nonce is null) = (deadline is null));
alter table transfers alter column predates_signatures set default false;

-- A signature can be used once. The second index finds the recipients a user has sent to before.
create unique index transfers_nonce on transfers (from_number, nonce) where nonce is not null;
create index transfers_known on transfers (from_number, to_number) where signature is not null or predates_signatures;

-- What each user sent without a signature on a UTC day, counted by a trigger. The lock on the row makes concurrent
-- transfers wait for each other.
create table transfer_allowances (
  from_number int not null,
  day date not null,
  amount bigint not null,
  primary key (from_number, day)
) with (fillfactor = 60);

grant select on transfer_allowances to wellplay_app;
