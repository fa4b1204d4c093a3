-- The audit continues from a sealed checkpoint, so that its cost depends on what is new and not on all of history.

-- `tx` is the transaction that inserted the row. Ids of transactions only grow, so all rows below the oldest running
-- transaction are final, which no clock and no sequence can promise. Rows from before this migration have 0: adding a
-- constant default rewrites no table.
--
-- The BRIN index stores the lowest and highest tx of every 32 pages. Rows are appended, so new ones are in few ranges,
-- and an insert costs almost nothing.
--
-- A process must not choose the tx of its rows: a row that claims to be old would be audited later. So the right to
-- insert is granted again for each column but this one.
do $$
declare
  audited name;
  process name;
begin
  foreach audited in array '{ledger_postings,ledger_entries,transfers,plan_orders,upline_rewards,daily_rewards,
    reward_deferrals,royalty_shares,withdrawals,withdrawal_changes,chain_payments,chain_bookings,chain_payouts,
    colour_rounds,colour_bets,colour_uplines,colour_limits,quiz_games,quiz_events}'::name[] loop
    execute format('alter table %I add column tx bigint not null default 0', audited);
    execute format('alter table %I alter column tx set default pg_current_xact_id()::text::bigint', audited);
    execute format('create index %I on %I using brin (tx) with (pages_per_range = 32, autosummarize = on)',
      audited || '_tx', audited);
    foreach process in array '{wellplay_app,wellplay_api,wellplay_worker,wellplay_operator}'::name[] loop
      -- has_table_privilege would also be true for what a role has as a member of another one.
      continue when not exists (select from pg_class, aclexplode(relacl)
        where oid = audited::text::regclass and grantee = process::text::regrole and privilege_type = 'INSERT');
      execute format('revoke insert on %I from %I', audited, process);
      execute (select format('grant insert (%s) on %I to %I', string_agg(quote_ident(attname), ', ' order by attnum),
          audited, process)
        from pg_attribute where attrelid = audited::text::regclass and attnum > 0 and not attisdropped
          and attname <> 'tx' and attgenerated = '');
    end loop;
  end loop;
end $$;

-- Invariant 5 sums the remainders. Few payments have one.
create index chain_bookings_remainder on chain_bookings (payment_id) where remainder_wei > 0;

-- History in slices, oldest first: all postings and entries whose tx is from tx_from to just below tx_to. `digest` is a
-- SHA-256 over them (functions/ledger_checkpoints.sql). Each hash contains the one before it, so the newest hash, which
-- is public, stands for all of history.
create table ledger_seals (
  id bigint primary key,
  tx_from bigint not null,
  tx_to bigint not null check (tx_to > tx_from),
  entries bigint not null check (entries >= 0),
  digest bytea not null check (length(digest) = 32),
  hash bytea not null check (length(hash) = 32),
  sealed_at timestamptz not null default clock_timestamp()
);

-- The newest sealed entry of each account: the next one must follow from it.
create table ledger_heads (
  account_id bigint primary key,
  version bigint not null,
  balance bigint not null
) with (fillfactor = 70);

-- One row: where the next audit continues. Rows with tx below tx_to are sealed. `audits` counts audits: the result of
-- one counts only if no other was stored since it began. Transaction ids belong to one database cluster, so in a
-- restored dump the identifier differs, and the audit starts anew.
create table ledger_checkpoint (
  is_only boolean primary key default true check (is_only),
  audits bigint not null,
  system_identifier bigint not null,
  tx_to bigint not null,
  -- The first seal that this cluster made. Older seals remain, but cannot be compared with the rows any more.
  first_seal bigint not null,
  -- How often the rolling check has read old slices again. Each turn reads those whose number leaves the same remainder.
  turn bigint not null,
  moved_at timestamptz not null default clock_timestamp()
);

grant select on ledger_seals, ledger_heads, ledger_checkpoint to wellplay_app;
-- No cluster has the identifier 0, so the first audit reads everything and makes the first seals.
insert into ledger_checkpoint (audits, system_identifier, tx_to, first_seal, turn) values (0, 0, 0, 1, 0);
