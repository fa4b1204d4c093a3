import { sql } from 'kysely'
import type { Invariant } from '../../ledger/audit.ts'
import { type Findings, listFindings } from '../../ledger/findings.ts'
import type { Tx } from '../../platform/db.ts'

export const userInvariants: Invariant[] = [
  {
    number: 18,
    name: 'The tree has one parent each and no cycle',
    check: (tx) => listFindings(tx, misplacedUsers),
  },
  { number: 24, name: 'No raw token at rest', check: findRawTokens },
]

// Each path must be the sponsor's path plus the user's own number. It is one longer, so there can be no cycle.
const misplacedUsers: Findings = sql`
  select format('user %s is not directly below their sponsor %s', u.number, coalesce(u.sponsor_number::text, '(none)'))
    as finding
  from users u left join users s on s.number = u.sponsor_number
  where u.path is distinct from coalesce(s.path, '{}') || u.number
    or (u.sponsor_number is null) <> (s.number is null)`

/** Rows checked per table. Small tables are read whole; of a large one, each audit reads a new random sample. */
const ROWS_CHECKED = 2_000

/**
 * Columns that hold what a user wrote. They are not searched: no text of a user may break an invariant (R24). The API
 * hides tokens before it stores such a text.
 */
const USER_TEXTS = [
  'idempotency_keys.key',
  'plan_orders.trans_hash',
  'sessions.device',
  'sessions.proof_key',
  'support_messages.text',
  'support_requests.subject',
  'transfers.note',
]

/**
 * Hashes every string that looks like a token, in all text columns that the product writes, and compares it with the
 * stored session hashes.
 */
async function findRawTokens(tx: Tx): Promise<string[]> {
  const { rows: columns } = await sql<{ name: string; column: string; percent: number }>`
    select c.relname as name, a.attname as column, least(100, 100 * ${ROWS_CHECKED} / greatest(c.reltuples, 1))::float8 as percent
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'json'::regtype, 'jsonb'::regtype)
      and has_column_privilege(c.oid, a.attnum, 'select')
      and c.relname || '.' || a.attname <> all(${USER_TEXTS})`.execute(tx)
  const scans = columns.map(
    ({ name, column, percent }) => sql`
      select distinct ${`${name}.${column} contains the token of a session`} as finding
      from ${sql.table(name)} tablesample system (${sql.lit(percent)}),
        regexp_matches(${sql.ref(column)}::text, '(?<![A-Za-z0-9_-])([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])', 'g') as word
      where exists (select from sessions where token_hash = sha256(convert_to(word[1], 'UTF8')))`,
  )
  const unhashed = sql`
    select format('session %s does not store a hash of its token', id) from sessions
    where length(token_hash) <> 32`
  return listFindings(
    tx,
    sql`select finding from (${sql.join([unhashed, ...scans], sql` union all `)}) as found (finding)`,
  )
}
