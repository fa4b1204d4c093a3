import { type RawBuilder, sql } from 'kysely'

/** The ledger's append-only tables. Those of features are found by their trigger. */
const historyTables = ['ledger_entries', 'ledger_postings', 'audit_log']

/** The roles of our processes, and the group of those that may read everything. */
const processRoles = ['wellplay_app', 'wellplay_api', 'wellplay_worker', 'wellplay_seeds', 'wellplay_operator']

/** Every way in which the role of a process, or a member of one, could change history (R16). */
export const privilegeFindings: RawBuilder<{ finding: string }> = sql`
  with history as (
    select oid, relname, relowner from pg_class
    where relnamespace = 'public'::regnamespace and (
      relname in (${sql.join(historyTables)})
      or oid in (select tgrelid from pg_trigger where tgfoid = 'refuse_change'::regproc and tgname = 'append_only'))
  ), role as (
    select oid, rolname from pg_roles
    where rolname in (${sql.join(processRoles)})
      or oid in (select member from pg_auth_members where roleid::regrole::text in (${sql.join(processRoles)}))
  )
  select format('%s may %s %s', rolname, privilege, relname) as finding
  from history, role, unnest(array['UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']) as privilege
  where has_table_privilege(role.oid, history.oid, privilege)
  union all
  select format('%s is the owner of %s', rolname, relname)
  from history, role where pg_has_role(role.oid, relowner, 'member')
  union all
  select format('%s is not append-only: its trigger is missing or disabled', relname)
  from history where not exists (
    select from pg_trigger where tgrelid = history.oid and tgname = 'append_only' and tgenabled in ('O', 'A'))`
