-- The ledger: accounts, history and the posting functions. The tables are in ../0002_ledger.sql; the rules for
-- movements are in ledger_rules.sql.

create or replace function ledger_account_kind(account bigint) returns smallint language sql immutable parallel safe
  return ((account & 15) + ((account >> 60) << 4))::smallint;

-- The account that mirrors the USDT on chain, the only one that may be negative.
create or replace function ledger_custody() returns bigint language sql immutable parallel safe
  return 1152921504606846976;

-- A readable account name, for reports.
create or replace function ledger_account_name(account bigint) returns text language sql stable return (
  select name || case when code < 16 then ' of user ' || (account >> 4) else '' end
  from ledger_account_kinds where code = ledger_account_kind(account));

-- Opens the accounts of a new user.
create or replace function ledger_open_accounts(user_number int) returns void language sql security definer
set search_path = public, pg_temp begin atomic
  insert into ledger_accounts (id)
  select user_number::bigint * 16 + code from ledger_account_kinds where code < 16
  on conflict do nothing;
end;

-- The last version of an account whose entry is older than `moment`, by binary search, because times have no index. Times
-- may be out of order by a day; then it is one of the places where an older entry is followed by a newer one.
create or replace function ledger_version_before(account bigint, moment timestamptz) returns bigint
language plpgsql stable as $$
declare
  older bigint := 0;
  newer bigint := (select coalesce(max(version), 0) + 1 from ledger_entries where account_id = account);
  middle bigint;
begin
  while newer - older > 1 loop
    middle := (older + newer) / 2;
    if (select posted_at < moment from ledger_entries where account_id = account and version = middle) then
      older := middle;
    else
      newer := middle;
    end if;
  end loop;
  return older;
end $$;

-- Locks accounts for checks that must hold together with a posting, such as limits and caps: no other transaction can
-- change the balances until this one ends.
create or replace function ledger_lock(accounts bigint[]) returns table (id bigint, balance bigint)
language sql security definer set search_path = public, pg_temp begin atomic
  select a.id, a.balance from ledger_accounts a where a.id = any (accounts) order by a.id for no key update;
end;

create or replace trigger append_only before update or delete or truncate on ledger_postings
  for each statement execute function refuse_change();
create or replace trigger append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();
create or replace trigger kept before delete or truncate on ledger_accounts
  for each statement execute function refuse_change();

-- The posting functions are the only writers of the ledger. They run as the table owner, so the application's role
-- needs no write privilege. A movement takes an amount from one account to another, so a posting always sums to zero.
--
-- All follow one pattern (R3). Read the key and the balances without locks: a known key is a repeat, and balances that do
-- not cover the posting make it `insufficient`. A single posting reads both in one snapshot, so it finds a duplicate that
-- has just spent the balance; a group reads both again under locks. Otherwise update the accounts in id order, guarded
-- by the balance, then write the entries, then the keys in their order. If another posting committed in between, fail:
-- with 40001 if it took the balance, with a unique violation if it has the same key. The caller retries both.
--
-- Keys come after accounts, because a transaction may have locked accounts before it posts. If keys came first, two
-- postings with the same key could deadlock: one has the key and waits for an account, the other has the account and
-- waits for the key. A transaction that makes several postings locks the accounts of all of them first (ledger_lock).

-- Called when fewer rows were written than expected: an account does not exist, or another posting committed first.
create or replace function ledger_overtaken(accounts bigint[]) returns void language plpgsql as $$
declare
  missing bigint := (select account from unnest(accounts) as account
    where not exists (select from ledger_accounts where id = account) limit 1);
begin
  if missing is not null then raise exception 'unknown account %', missing using errcode = 'check_violation'; end if;
  raise exception 'conflict with a concurrent posting' using errcode = 'serialization_failure';
end $$;

-- The outcome and reply for a posting whose key already exists.
create or replace function ledger_known(in_kind ledger_kind, in_reference uuid, in_digest uuid)
returns table (outcome ledger_outcome, answer jsonb) language sql stable begin atomic
  select
    case when digest is not distinct from in_digest then 'repeated'::ledger_outcome else 'mismatch' end,
    case when digest is not distinct from in_digest then reply end
  from ledger_postings where kind = in_kind and reference = in_reference;
end;

-- A posting with one movement, for calls that arrive alone. One statement reads key and balance and updates both accounts
-- in one index scan, and therefore in id order.
create or replace function ledger_post_one(
  in_kind ledger_kind, in_reference uuid, in_digest uuid, in_reply jsonb,
  source bigint, target bigint, in_amount bigint,
  out outcome ledger_outcome, out answer jsonb
) language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  written int;
begin
  if in_amount <= 0 or ledger_allows(in_kind, source, target) is not true or not ledger_may_post(in_kind, source) then
    perform ledger_refuse(in_kind, source);
  end if;
  with moved as (
    update ledger_accounts
    set balance = balance + case id when source then -in_amount else in_amount end, version = version + 1
    where id in (source, target) and (balance >= in_amount or id in (target, ledger_custody()))
      and (select payer.balance >= in_amount or payer.id = ledger_custody()
        from ledger_accounts payer where payer.id = source)
      and not exists (select from ledger_postings where kind = in_kind and reference = in_reference)
    returning id, version, balance
  )
  insert into ledger_entries
  select id, version, case id when source then -in_amount else in_amount end, balance, clock_timestamp(), in_kind,
    in_reference
  from moved;
  get diagnostics written = row_count;
  if written = 0 then
    if not exists (select from ledger_accounts where id = source) then perform ledger_overtaken(array[source]); end if;
    select * into outcome, answer from ledger_known(in_kind, in_reference, in_digest);
    outcome := coalesce(outcome, 'insufficient');
    return;
  end if;
  if written <> 2 then perform ledger_overtaken(array[source, target]); end if;

  insert into ledger_postings values (in_kind, 2, in_reference, in_digest, in_reply);
  outcome := 'posted';
  answer := in_reply;
end $$;

-- Like sum(), but returns bigint: sum() returns numeric, which is slower.
create or replace aggregate ledger_sum(bigint) (sfunc = int8pl, stype = bigint, initcond = '0');

-- One posting with any number of movements, netted per account: an upline of twenty, the settlement of a round, a chunk
-- of the daily run. To post the rows of a query: select ledger_post(…, array_agg(source), array_agg(target),
-- array_agg(amount)) from …. The accounts are read in one index scan and merge-joined with their net amounts: half the
-- cost of a million index lookups.
create or replace function ledger_post(
  in_kind ledger_kind, in_reference uuid, in_digest uuid, in_reply jsonb,
  sources bigint[], targets bigint[], amounts bigint[], out outcome ledger_outcome, out answer jsonb
) language plpgsql security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_hashjoin = off set enable_nestloop = off as $$
declare
  accounts bigint[];
  nets bigint[];
  written int;
begin
  perform ledger_check(array[in_kind], array_fill(1, array[cardinality(sources)]), sources, targets, amounts);
  -- One payer and each payee once, as in the daily run: there is nothing to net.
  if sources[1] = all (sources) and sources[1] <> all (targets)
    and cardinality(targets) = (select count(distinct target) from unnest(targets) as target) then
    accounts := targets || sources[1];
    nets := amounts || -(select ledger_sum(amount) from unnest(amounts) as amount);
  else
    select array_agg(account), array_agg(net) into accounts, nets
    from (
      select account, ledger_sum(amount) as net
      from (
        select unnest(sources) as account, -unnest(amounts) as amount
        union all
        select unnest(targets), unnest(amounts)
      ) leg group by account
    ) netted;
  end if;

  if exists (select from ledger_postings where kind = in_kind and reference = in_reference) or exists (
    select from unnest(accounts, nets) as leg (account, net) join ledger_accounts on id = account
    where net < 0 and id = any (array(select account from unnest(accounts, nets) as debit (account, net) where net < 0))
      and balance + net < 0 and id <> ledger_custody()
  ) then
    select * into outcome, answer from ledger_known(in_kind, in_reference, in_digest);
    outcome := coalesce(outcome, 'insufficient');
    return;
  end if;

  with moved as (
    update ledger_accounts set balance = balance + net, version = version + 1
    from unnest(accounts, nets) as leg (account, net)
    where id = account and id = any (accounts) and (balance + net >= 0 or id = ledger_custody())
    returning id, version, net, balance
  )
  insert into ledger_entries
  select id, version, net, balance, (select clock_timestamp()), in_kind, in_reference from moved;
  get diagnostics written = row_count;
  if written <> cardinality(accounts) then perform ledger_overtaken(accounts); end if;

  insert into ledger_postings values (in_kind, written, in_reference, in_digest, in_reply);
  outcome := 'posted';
  answer := in_reply;
end $$;

-- Returns the postings of a group that cannot be paid when applied in order. `balances` holds the account's balance
-- before the group, once per leg.
create or replace function ledger_judge(owners int[], accounts bigint[], amounts bigint[], balances bigint[])
returns int[] language plpgsql immutable as $$
declare
  places int[];
  refused int[] := '{}';
  first int := 1;
  beyond int;
  covered boolean;
begin
  select array_agg(place order by n) into places
  from (
    select n, min(n) over (partition by account) as place
    from unnest(accounts) with ordinality as leg (account, n)
  ) placed;
  while first <= cardinality(owners) loop
    beyond := first;
    covered := true;
    while owners[beyond] = owners[first] loop
      covered := covered and (amounts[beyond] >= 0 or accounts[beyond] = ledger_custody()
        or balances[places[beyond]] + amounts[beyond] >= 0);
      beyond := beyond + 1;
    end loop;
    if covered then
      for leg in first .. beyond - 1 loop
        balances[places[leg]] := balances[places[leg]] + amounts[leg];
      end loop;
    else
      refused := refused || owners[first];
    end if;
    first := beyond;
  end loop;
  return refused;
end $$;

-- Many postings in one call and one commit, each with its own outcome, in order. `owners` gives the position of each
-- movement's posting. Amounts are netted per account, so a busy account is updated once; a window function computes
-- each entry's running balance. Only if an account might run out of money are all accounts locked, in id order, and the
-- postings checked one by one.
create or replace function ledger_post_group(
  kinds ledger_kind[], refs uuid[], digests uuid[], replies jsonb[],
  owners int[], sources bigint[], targets bigint[], amounts bigint[], locked boolean
) returns table (outcome ledger_outcome, answer jsonb) language plpgsql security definer
set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_hashjoin = off as $$
declare
  outcomes ledger_outcome[];
  legs record;
  written int;
begin
  perform ledger_check(kinds, owners, sources, targets, amounts);
  loop
    if locked then perform ledger_lock(sources || targets); end if;
    select array_agg(case when known.kind is null then 'posted'::ledger_outcome
      when known.digest is not distinct from asked.digest then 'repeated' else 'mismatch' end order by n)
    into outcomes
    from unnest(kinds, refs, digests) with ordinality as asked (kind, ref, digest, n)
    left join ledger_postings known on known.kind = asked.kind and known.reference = asked.ref;

    select array_agg(owner) as owners, array_agg(account) as accounts, array_agg(amount) as amounts,
      array_agg(balance) as balances, bool_or(balance + debits < 0 and account <> ledger_custody()) as short
    into legs
    from (
      select owner, account, amount, balance, sum(least(amount, 0)) over (partition by account) as debits
      from (
        select owner, account, sum(amount)::bigint as amount
        from unnest(owners || owners, sources || targets, array(select -unnest(amounts)) || amounts)
          as side (owner, account, amount)
        where outcomes[owner] = 'posted'
        group by owner, account
      ) leg left join ledger_accounts on id = case when amount < 0 or locked then account end
      order by owner
    ) leg;
    exit when locked or legs.short is not true;
    locked := true;
  end loop;
  if legs.short then
    if array_position(legs.balances, null) > 0 then perform ledger_overtaken(legs.accounts); end if;
    select array_agg(case when n = any (refused) then 'insufficient' else known end order by n) into outcomes
    from unnest(outcomes) with ordinality as asked (known, n),
      ledger_judge(legs.owners, legs.accounts, legs.amounts, legs.balances) as refused;
  end if;

  with change as (
    select account, sum(amount)::bigint as net, sum(least(amount, 0))::bigint as debits, count(*) as entries,
      array_agg(owner order by owner) as owners, array_agg(amount order by owner) as amounts
    from unnest(legs.owners, legs.accounts, legs.amounts) as leg (owner, account, amount)
    where outcomes[owner] = 'posted'
    group by account order by account
  ), moved as (
    update ledger_accounts set balance = balance + net, version = version + entries
    from change where id = account and (locked or balance + debits >= 0 or id = ledger_custody())
    returning id, version - entries as version, balance - net as balance, change.owners, change.amounts
  )
  insert into ledger_entries
  select id, version + place, amount, balance + sum(amount) over (partition by id order by place),
    (select clock_timestamp()), kinds[owner], refs[owner]
  from moved, unnest(moved.owners, moved.amounts) with ordinality as leg (owner, amount, place);
  get diagnostics written = row_count;
  if written <> (select count(*) from unnest(legs.owners) as owner where outcomes[owner] = 'posted') then
    perform ledger_overtaken(sources || targets);
  end if;

  insert into ledger_postings
  select kinds[owner], count(*), refs[owner], digests[owner], replies[owner]
  from unnest(legs.owners) as owner where outcomes[owner] = 'posted'
  group by owner order by kinds[owner], refs[owner];

  return query
  select result, case result when 'repeated' then (
    select reply from ledger_postings where kind = kinds[n] and reference = refs[n]) end
  from unnest(outcomes) with ordinality as asked (result, n);
end $$;

-- ledger_may_post in ledger_rules.sql decides which process may post what.
revoke execute on function ledger_open_accounts, ledger_lock, ledger_post_one, ledger_post, ledger_post_group
  from public;
grant execute on function ledger_lock, ledger_post_one, ledger_post, ledger_post_group to wellplay_app;
revoke execute on function ledger_open_accounts from wellplay_app;
grant execute on function ledger_open_accounts to wellplay_api;
