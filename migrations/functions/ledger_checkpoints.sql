-- Seals and checkpoints of the audit. The tables are in ../0034_ledger_checkpoints.sql.

-- What a slice of history contains, as a SHA-256. Numbers are big-endian: 4 bytes for the entries of a posting, else 8;
-- times are microseconds since 2000-01-01 UTC; kinds are their names, followed by a space.
-- For each transaction and account: sha256 of its entries in order of version, each as kind, version, amount,
-- balance_after, posted_at, reference. For each posting: sha256 of kind, reference, entries, digest, reply. The result is
-- sha256(sha256(tx, account and hash of all accounts in this order) || sha256(hashes of all postings by tx, reference,
-- kind)). The hashes in between keep every string far below the limit of 1 GB.
create or replace function ledger_digest(in_from bigint, in_to bigint, out entries bigint, out digest bytea)
language sql stable begin atomic
  select coalesce(accounts.entries, 0)::bigint,
    sha256(sha256(coalesce(accounts.hashes, '')) || sha256(coalesce(postings.hashes, '')))
  from (
    select sum(account.entries) as entries,
      string_agg(int8send(tx) || int8send(account_id) || hash, '' order by tx, account_id) as hashes
    from (
      select tx, account_id, count(*) as entries, sha256(string_agg(convert_to(kind || ' ', 'UTF8') || int8send(version)
        || int8send(amount) || int8send(balance_after) || timestamptz_send(posted_at) || uuid_send(reference),
        '' order by version)) as hash
      from ledger_entries where tx >= in_from and tx < in_to group by tx, account_id
    ) account
  ) accounts, (
    select string_agg(sha256(convert_to(kind || ' ', 'UTF8') || uuid_send(reference) || int4send(p.entries)
      || coalesce(uuid_send(p.digest), '') || convert_to(coalesce(reply::text, ''), 'UTF8')),
      '' order by tx, reference, kind::text collate "C") as hashes
    from ledger_postings p where tx >= in_from and tx < in_to
  ) postings;
end;

-- Each seal contains the hash of the one before it.
create or replace function ledger_seal_hash(previous bytea, in_from bigint, in_to bigint, in_digest bytea)
returns bytea language sql immutable
return sha256(previous || int8send(in_from) || int8send(in_to) || in_digest);

-- Counts an audit that began when `seen` audits were counted. Returns false if another one was counted since: then this
-- audit may have read an older snapshot, so it must neither lift a halt nor seal.
create or replace function ledger_count_audit(seen bigint) returns boolean language plpgsql security definer
set search_path = public, pg_temp as $$
begin
  update ledger_checkpoint set audits = audits + 1, moved_at = clock_timestamp() where audits = seen;
  return found;
end $$;

-- Forgets the seals of another cluster, whose transaction ids mean nothing here.
create or replace function ledger_start_anew() returns void language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  newest bigint := (select coalesce(max(id), 0) from ledger_seals);
begin
  delete from ledger_heads;
  update ledger_checkpoint set tx_to = 0, first_seal = newest + 1,
    system_identifier = (select system_identifier from pg_control_system());
end $$;

-- Seals the rows from the checkpoint to just below the last of in_tos, a slice for each, and moves the heads of their
-- accounts, once for all slices. The audit computed the digests in the snapshot that it checked, so a change after that
-- is found when a slice is read again. A transaction that still runs could add rows below its id, so nothing above the
-- oldest one is sealed.
create or replace function ledger_seal(in_tos bigint[], in_entries bigint[], in_digests bytea[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  start bigint := (select tx_to from ledger_checkpoint);
  last record;
  slice record;
begin
  select id, start as tx_to, hash into last from (select id, hash from ledger_seals union all select 0, '') seals
  order by id desc limit 1;
  for slice in select * from unnest(in_tos, in_entries, in_digests) with ordinality as s(ends, entries, digest, place)
    order by place
  loop
    if slice.ends <= last.tx_to or slice.ends > pg_snapshot_xmin(pg_current_snapshot())::text::bigint then
      raise exception 'cannot seal from transaction % to %', last.tx_to, slice.ends using errcode = 'check_violation';
    end if;
    insert into ledger_seals (id, tx_from, tx_to, entries, digest, hash) values (last.id + 1, last.tx_to, slice.ends,
      slice.entries, slice.digest, ledger_seal_hash(last.hash, last.tx_to, slice.ends, slice.digest))
    returning id, tx_to, hash into last;
  end loop;
  insert into ledger_heads as head
  select account_id, version, balance_after
  from (select distinct account_id as id from ledger_entries where tx >= start and tx < last.tx_to) touched
    cross join lateral (select account_id, version, balance_after from ledger_entries
      where account_id = touched.id and tx < last.tx_to order by version desc limit 1) newest
  on conflict (account_id) do update set version = excluded.version, balance = excluded.balance
  where excluded.version > head.version;
  update ledger_checkpoint set tx_to = last.tx_to;
end $$;

create or replace function ledger_next_turn() returns void language sql security definer
set search_path = public, pg_temp begin atomic
  update ledger_checkpoint set turn = turn + 1;
end;

create or replace trigger append_only before update or delete or truncate on ledger_seals
  for each statement execute function refuse_change();

revoke execute on function ledger_count_audit, ledger_start_anew, ledger_seal, ledger_next_turn
  from public, wellplay_app;
grant execute on function ledger_count_audit, ledger_start_anew, ledger_seal, ledger_next_turn to wellplay_worker;
