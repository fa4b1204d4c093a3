-- The ledger's only writers. They run as the tables' owner, so the application's role needs no right to write.
-- A movement takes an amount from one account to another: a posting of movements cannot but sum to zero.
--
-- All follow one pattern (R3): look without locks at the balances; if they do not cover the posting, say so, unless
-- its key is known (it is looked at after the balances, so that a twin who has just spent them is seen). Else write the
-- key, then the accounts in id order by an UPDATE that is guarded by the balance, then the entries. Whoever was
-- overtaken between look and write fails with 40001 and is tried again.

create type ledger_outcome as enum ('posted', 'repeated', 'mismatch', 'insufficient');

-- Called when fewer rows were written than asked: an account that does not exist, or somebody came first.
create function ledger_overtaken(accounts bigint[]) returns void language plpgsql as $$
declare
  missing bigint := (select account from unnest(accounts) as account
    where not exists (select from ledger_accounts where id = account) limit 1);
begin
  if missing is not null then raise exception 'unknown account %', missing using errcode = 'check_violation'; end if;
  raise exception 'overtaken by another posting' using errcode = 'serialization_failure';
end $$;

-- Opens the accounts of a user who signs up.
create function ledger_open_accounts(user_number int) returns void language sql security definer
set search_path = public, pg_temp begin atomic
  insert into ledger_accounts (id)
  select user_number::bigint * 16 + code from ledger_account_kinds where code < 16
  on conflict do nothing;
end;

-- For rules that must hold together with a posting (limits, caps): whoever has the lock decides alone.
create function ledger_lock(accounts bigint[]) returns table (id bigint, balance bigint) language sql security definer
set search_path = public, pg_temp begin atomic
  select a.id, a.balance from ledger_accounts a where a.id = any (accounts) order by a.id for no key update;
end;

-- What to answer to a posting whose key is taken.
create function ledger_known(in_kind ledger_kind, in_reference uuid, in_digest uuid)
returns table (outcome ledger_outcome, answer jsonb) language sql stable begin atomic
  select
    case when digest is not distinct from in_digest then 'repeated'::ledger_outcome else 'mismatch' end,
    case when digest is not distinct from in_digest then reply end
  from ledger_postings where kind = in_kind and reference = in_reference;
end;

-- The rule that allows a movement, if there is one.
create function ledger_rule(in_kind ledger_kind, source bigint, target bigint, amount bigint)
returns setof ledger_rules language sql stable begin atomic
  select * from ledger_rules
  where kind = in_kind and from_code = ledger_account_kind(source) and to_code = ledger_account_kind(target)
    and users in ('any', case when source >> 4 = target >> 4 then 'same' else 'other' end) and amount > 0;
end;

-- Raises unless a rule allows every movement; of many alike one is looked up.
create function ledger_check(kinds ledger_kind[], owners int[], sources bigint[], targets bigint[], amounts bigint[])
returns void language plpgsql stable as $$
begin
  if exists (
    select from (
      select kinds[owner] as kind, any_value(source) as source, any_value(target) as target, min(amount) as amount
      from unnest(owners, sources, targets, amounts) as movement (owner, source, target, amount)
      group by kinds[owner], ledger_account_kind(source), ledger_account_kind(target), source >> 4 = target >> 4
    ) movement
    where not exists (select from ledger_rule(kind, source, target, amount))
  ) then
    raise exception 'no rule allows this movement' using errcode = 'check_violation';
  end if;
end $$;

-- One movement, the plain way: for a call that comes alone.
create function ledger_post_one(
  in_kind ledger_kind, in_reference uuid, in_digest uuid, in_reply jsonb,
  source bigint, target bigint, in_amount bigint,
  out outcome ledger_outcome, out answer jsonb
) language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  look record;
  written int;
begin
  select balance < in_amount and source <> ledger_custody() as short,
    exists (select from ledger_rule(in_kind, source, target, in_amount)) as allowed
  into look from ledger_accounts where id = source;
  if not look.allowed then
    raise exception 'no rule allows this movement' using errcode = 'check_violation';
  end if;
  if look.short then
    select * into outcome, answer from ledger_known(in_kind, in_reference, in_digest);
    outcome := coalesce(outcome, 'insufficient');
    return;
  end if;

  insert into ledger_postings values (in_kind, 2, in_reference, in_digest, in_reply) on conflict do nothing;
  if not found then
    select * into outcome, answer from ledger_known(in_kind, in_reference, in_digest);
    return;
  end if;

  with moved as (
    update ledger_accounts set balance = balance + amount, version = version + 1
    from (values
      (least(source, target), case when source < target then -in_amount else in_amount end),
      (greatest(source, target), case when source < target then in_amount else -in_amount end)
    ) as leg (account, amount)
    where id = account and (balance + amount >= 0 or id = ledger_custody())
    returning id, version, amount, balance
  )
  insert into ledger_entries
  select id, version, amount, balance, clock_timestamp(), in_kind, in_reference from moved;
  get diagnostics written = row_count;
  if written <> 2 then perform ledger_overtaken(array[source, target]); end if;
  outcome := 'posted';
  answer := in_reply;
end $$;

-- One posting of any number of movements, netted per account: an upline of twenty, a round's settlement, a chunk of
-- the daily run. For many: select ledger_post(…, array_agg(source), array_agg(target), array_agg(amount)) from ….
create function ledger_post(
  in_kind ledger_kind, in_reference uuid, in_digest uuid, in_reply jsonb,
  sources bigint[], targets bigint[], amounts bigint[], out outcome ledger_outcome, out answer jsonb
) language plpgsql security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_hashjoin = off as $$
declare
  accounts bigint[];
  nets bigint[];
  written int;
begin
  perform ledger_check(array[in_kind], array_fill(1, array[cardinality(sources)]), sources, targets, amounts);
  select array_agg(account order by account), array_agg(net order by account) into accounts, nets
  from (
    select account, sum(amount)::bigint as net
    from (
      select unnest(sources) as account, -unnest(amounts) as amount
      union all
      select unnest(targets), unnest(amounts)
    ) leg group by account
  ) netted;

  if exists (
    select from unnest(accounts, nets) as leg (account, net) join ledger_accounts on id = account
    where net < 0 and balance + net < 0 and id <> ledger_custody()
  ) then
    select * into outcome, answer from ledger_known(in_kind, in_reference, in_digest);
    outcome := coalesce(outcome, 'insufficient');
    return;
  end if;

  insert into ledger_postings values (in_kind, cardinality(accounts), in_reference, in_digest, in_reply)
  on conflict do nothing;
  if not found then
    select * into outcome, answer from ledger_known(in_kind, in_reference, in_digest);
    return;
  end if;

  with moved as (
    update ledger_accounts set balance = balance + net, version = version + 1
    from unnest(accounts, nets) as leg (account, net)
    where id = account and (balance + net >= 0 or id = ledger_custody())
    returning id, version, net, balance
  )
  insert into ledger_entries
  select id, version, net, balance, (select clock_timestamp()), in_kind, in_reference from moved;
  get diagnostics written = row_count;
  if written <> cardinality(accounts) then perform ledger_overtaken(accounts); end if;
  outcome := 'posted';
  answer := in_reply;
end $$;

-- Who of a group cannot pay, taking the postings in their order. Balances are one per leg, as before the group.
create function ledger_judge(owners int[], accounts bigint[], amounts bigint[], balances bigint[])
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

-- Many postings in one call and one commit, each with its own answer, in their order. Movements name their posting by
-- its place. Amounts are netted per account, so a busy account is one UPDATE; entries get their running balance from
-- a window. Only if an account might run out are all locked, in id order, and the postings judged one by one.
create function ledger_post_group(
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

  insert into ledger_postings
  select kinds[owner], count(*), refs[owner], digests[owner], replies[owner]
  from unnest(legs.owners) as owner where outcomes[owner] = 'posted' group by owner
  on conflict do nothing;
  get diagnostics written = row_count;
  if written <> cardinality(array_positions(outcomes, 'posted')) then
    perform ledger_overtaken(sources || targets);
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
    returning id, old.version, old.balance, change.owners, change.amounts
  )
  insert into ledger_entries
  select id, version + place, amount, balance + sum(amount) over (partition by id order by place),
    (select clock_timestamp()), kinds[owner], refs[owner]
  from moved, unnest(moved.owners, moved.amounts) with ordinality as leg (owner, amount, place);
  get diagnostics written = row_count;
  if written <> (select count(*) from unnest(legs.owners) as owner where outcomes[owner] = 'posted') then
    perform ledger_overtaken(sources || targets);
  end if;

  return query
  select told, case told when 'repeated' then (
    select reply from ledger_postings where kind = kinds[n] and reference = refs[n]) end
  from unnest(outcomes) with ordinality as asked (told, n);
end $$;

revoke execute on function ledger_open_accounts, ledger_lock, ledger_post_one, ledger_post, ledger_post_group
  from public;
grant execute on function ledger_open_accounts, ledger_lock, ledger_post_one, ledger_post, ledger_post_group
  to wellplay_app;
