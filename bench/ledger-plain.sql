-- The baseline: a pgledger-style ledger with ULIDs as text ids, numeric amounts, foreign keys, and a PL/pgSQL function
-- that takes a list of transfers, locks the accounts in order, checks each balance and writes two entries.

-- Like pgledger, it also works on servers without uuidv7().
create function plain_uuid() returns uuid language plpgsql as $$
declare
  id uuid;
begin
  if exists (select from pg_proc where proname = 'uuidv7') then
    execute 'select uuidv7()' into id;
    return id;
  end if;
  return gen_random_uuid();
end $$;

create function plain_ulid(id uuid) returns text language plpgsql as $$
declare
  alphabet constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  bits constant bit(130) := b'00' || ('x' || translate(id::text, '-', ''))::bit(128);
  ulid text := '';
begin
  for place in 0 .. 25 loop
    ulid := ulid || substr(alphabet, substring(bits from place * 5 + 1 for 5)::int + 1, 1);
  end loop;
  return ulid;
end $$;

create function plain_id(prefix text) returns text language sql volatile return prefix || '_' || plain_ulid(plain_uuid());

create table plain_accounts (
  id text primary key default plain_id('acct'),
  name text not null,
  currency text not null,
  balance numeric not null default 0,
  version bigint not null default 0,
  allow_negative_balance boolean not null,
  allow_positive_balance boolean not null,
  metadata jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table plain_transfers (
  id text primary key default plain_id('xfer'),
  from_account_id text not null references plain_accounts,
  to_account_id text not null references plain_accounts,
  amount numeric not null,
  created_at timestamptz not null,
  event_at timestamptz not null,
  metadata jsonb,
  check (amount > 0 and from_account_id <> to_account_id)
);
create index on plain_transfers (from_account_id);
create index on plain_transfers (to_account_id);
create index on plain_transfers (event_at);

create table plain_entries (
  id text primary key default plain_id('entr'),
  account_id text not null references plain_accounts,
  payment_id text not null references plain_transfers,
  amount numeric not null,
  previous_balance numeric not null,
  current_balance numeric not null,
  account_version bigint not null,
  created_at timestamptz not null
);
create index on plain_entries (account_id);
create index on plain_entries (payment_id);

create type plain_request as (source text, target text, amount numeric);

create function plain_check(account plain_accounts) returns void language plpgsql as $$
begin
  if account.balance < 0 and not account.allow_negative_balance then raise exception '% below zero', account.id; end if;
  if account.balance > 0 and not account.allow_positive_balance then raise exception '% above zero', account.id; end if;
end $$;

create function plain_transfers_of(requests plain_request[]) returns setof plain_transfers language plpgsql as $$
declare
  request plain_request;
  locked text;
  payer plain_accounts;
  payee plain_accounts;
  made text;
  all_made text[] := '{}';
begin
  for locked in
    select distinct id from unnest(requests) as wanted, unnest(array[wanted.source, wanted.target]) as id order by id
  loop
    perform from plain_accounts where id = locked for update;
  end loop;
  foreach request in array requests loop
    update plain_accounts set balance = balance - request.amount, version = version + 1, updated_at = now()
      where id = request.source returning * into payer;
    perform plain_check(payer);
    update plain_accounts set balance = balance + request.amount, version = version + 1, updated_at = now()
      where id = request.target returning * into payee;
    perform plain_check(payee);
    if payer.currency <> payee.currency then raise exception 'different currencies'; end if;
    insert into plain_transfers (from_account_id, to_account_id, amount, created_at, event_at)
      values (request.source, request.target, request.amount, now(), now()) returning id into made;
    all_made := all_made || made;
    insert into plain_entries
      (account_id, payment_id, amount, previous_balance, current_balance, account_version, created_at)
      values (payer.id, made, -request.amount, payer.balance + request.amount, payer.balance, payer.version, now());
    insert into plain_entries
      (account_id, payment_id, amount, previous_balance, current_balance, account_version, created_at)
      values (payee.id, made, request.amount, payee.balance - request.amount, payee.balance, payee.version, now());
  end loop;
  return query select * from plain_transfers where id = any (all_made) order by id;
end $$;

create function plain_transfer(source text, target text, amount numeric) returns setof plain_transfers
language plpgsql as $$
begin
  return query select * from plain_transfers_of(array[(source, target, amount)::plain_request]);
end $$;
