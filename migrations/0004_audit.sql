-- Who did what and why, each row sealed with the hash of the one before, and the switch that stops payouts and bets.

create table audit_log (
  id bigint primary key,
  at timestamptz not null,
  who text not null,
  what text not null,
  why text not null,
  previous_hash bytea not null,
  hash bytea not null
);

create trigger append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

create function audit_hash(id bigint, at timestamptz, who text, what text, why text, previous_hash bytea)
returns bytea language sql immutable
return sha256(previous_hash
  || convert_to(jsonb_build_array(id, extract(epoch from at), who, what, why)::text, 'UTF8'));

-- The lock makes one chain of it: the next row waits until this one's transaction is decided.
create function audit_append(who text, what text, why text) returns bigint language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  last audit_log;
  next audit_log;
begin
  lock table audit_log in share row exclusive mode;
  select * into last from audit_log order by id desc limit 1;
  next := (coalesce(last.id, 0) + 1, clock_timestamp(), who, what, why, coalesce(last.hash, '\x'), null);
  next.hash := audit_hash(next.id, next.at, who, what, why, next.previous_hash);
  insert into audit_log values (next.*);
  return next.id;
end $$;

-- A row stands for a reason to stop (R18); when it is gone, the audit log still has it.
create table halts (
  source text primary key,
  reason text not null,
  since timestamptz not null default now()
);

revoke execute on function audit_append from public;
grant execute on function audit_append to wellplay_app;
grant select on audit_log to wellplay_app;
grant select, insert, delete on halts to wellplay_app;

-- An account in words, for reports.
create function ledger_account_name(account bigint) returns text language sql stable return (
  select name || case when code < 16 then ' of user ' || (account >> 4) else '' end
  from ledger_account_kinds where code = ledger_account_kind(account));
