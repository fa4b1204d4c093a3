-- Three of the ledger's writers as in 0003_posting.sql, with less work in each: what they promise is the same.

-- An entry's balance is its account's, which has the same constraint; here it was parsed anew by every statement.
alter table ledger_entries drop constraint balance_not_negative;

-- Whether a rule allows a movement, asked by every posting: the rules as numbers in a function, not rows in a table.
-- Whoever changes ledger_rules compiles them again.
create function ledger_rule_number(place int, from_code int, to_code int, same_user boolean) returns int
language sql immutable parallel safe return (place << 11) + (from_code << 6) + (to_code << 1) + same_user::int;

create function ledger_compile_rules() returns void language plpgsql as $$
declare
  kinds constant ledger_kind[] := enum_range(null::ledger_kind);
begin
  execute format('create or replace function ledger_allows(kind ledger_kind, source bigint, target bigint)
    returns boolean language sql immutable parallel safe
    return ledger_rule_number(array_position(%L::ledger_kind[], kind), ledger_account_kind(source),
      ledger_account_kind(target), source >> 4 = target >> 4) = any (%L::int[])', kinds, (
    select array_agg(ledger_rule_number(array_position(kinds, kind), from_code, to_code, same_user))
    from ledger_rules, unnest(array[true, false]) as same_user
    where users in ('any', case when same_user then 'same' else 'other' end)));
end $$;
select ledger_compile_rules();

-- Raises unless a rule allows every movement; of many alike one is looked up.
create or replace function ledger_check(
  kinds ledger_kind[], owners int[], sources bigint[], targets bigint[], amounts bigint[]
) returns void language plpgsql stable as $$
begin
  if exists (
    select from (
      select kinds[owner] as kind, any_value(source) as source, any_value(target) as target, min(amount) as amount
      from unnest(owners, sources, targets, amounts) as movement (owner, source, target, amount)
      group by kinds[owner], ledger_rule_number(0, ledger_account_kind(source), ledger_account_kind(target),
        source >> 4 = target >> 4)
    ) movement
    where amount <= 0 or ledger_allows(kind, source, target) is not true
  ) then
    raise exception 'no rule allows this movement' using errcode = 'check_violation';
  end if;
end $$;

drop function ledger_rule;

-- One movement, the plain way: for a call that comes alone. Balance and key are one look, which writes the key if all is
-- well; then both accounts by their index, so in id order.
create or replace function ledger_post_one(
  in_kind ledger_kind, in_reference uuid, in_digest uuid, in_reply jsonb,
  source bigint, target bigint, in_amount bigint,
  out outcome ledger_outcome, out answer jsonb
) language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  written int;
begin
  if in_amount <= 0 or ledger_allows(in_kind, source, target) is not true then
    raise exception 'no rule allows this movement' using errcode = 'check_violation';
  end if;
  insert into ledger_postings
  select in_kind, 2, in_reference, in_digest, in_reply
  from ledger_accounts where id = source and (balance >= in_amount or id = ledger_custody())
  on conflict do nothing;
  if not found then
    if not exists (select from ledger_accounts where id = source) then perform ledger_overtaken(array[source]); end if;
    select * into outcome, answer from ledger_known(in_kind, in_reference, in_digest);
    outcome := coalesce(outcome, 'insufficient');
    return;
  end if;

  with moved as (
    update ledger_accounts
    set balance = balance + case id when source then -in_amount else in_amount end, version = version + 1
    where id in (source, target) and (balance >= in_amount or id in (target, ledger_custody()))
    returning id, version, balance
  )
  insert into ledger_entries
  select id, version, case id when source then -in_amount else in_amount end, balance, clock_timestamp(), in_kind,
    in_reference
  from moved;
  get diagnostics written = row_count;
  if written <> 2 then perform ledger_overtaken(array[source, target]); end if;
  outcome := 'posted';
  answer := in_reply;
end $$;

-- Whole numbers that stay whole: sum() would go through numeric.
create aggregate ledger_sum(bigint) (sfunc = int8pl, stype = bigint, initcond = '0');

-- One posting of any number of movements, netted per account: an upline of twenty, a round's settlement, a chunk of
-- the daily run. For many: select ledger_post(…, array_agg(source), array_agg(target), array_agg(amount)) from ….
-- Accounts are fetched by one walk along their index and merged with what each gets: half the cost of a million visits.
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

  if exists (
    select from unnest(accounts, nets) as leg (account, net) join ledger_accounts on id = account
    where net < 0 and id = any (array(select account from unnest(accounts, nets) as debit (account, net) where net < 0))
      and balance + net < 0 and id <> ledger_custody()
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
    where id = account and id = any (accounts) and (balance + net >= 0 or id = ledger_custody())
    returning id, version, net, balance
  )
  insert into ledger_entries
  select id, version, net, balance, (select clock_timestamp()), in_kind, in_reference from moved;
  get diagnostics written = row_count;
  if written <> cardinality(accounts) then perform ledger_overtaken(accounts); end if;
  outcome := 'posted';
  answer := in_reply;
end $$;
