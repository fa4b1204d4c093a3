-- The audit log: a chain in which each row contains the hash of the row before it.

create or replace function audit_hash(id bigint, at timestamptz, who text, what text, why text, previous_hash bytea)
returns bytea language sql immutable
return sha256(previous_hash
  || convert_to(jsonb_build_array(id, extract(epoch from at), who, what, why)::text, 'UTF8'));

-- The table lock keeps the rows in one chain: the next insert waits until this transaction ends.
create or replace function audit_append(who text, what text, why text) returns bigint language plpgsql security definer
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

create or replace trigger append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
-- Old runs are deleted (operators_retention.sql), but only by the owner: no process has the right to.
create or replace trigger append_only before update or truncate on audit_runs
  for each statement execute function refuse_change();

-- An operator's halt ends only when an operator lifts it. The worker lifts the others, such as the audit's.
create or replace function halts_lift() returns trigger language plpgsql as $$
begin
  if old.source = 'operator' and not pg_has_role(session_user, 'wellplay_operator', 'member') then
    raise exception '% may not lift the halt of an operator', session_user using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
create or replace trigger lift before delete on halts for each row execute function halts_lift();

revoke execute on function audit_append from public, wellplay_app;
grant execute on function audit_append to wellplay_worker, wellplay_operator;
