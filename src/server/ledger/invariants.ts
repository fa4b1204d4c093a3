import { randomInt } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../platform/db.ts'
import { poolKinds } from './accounts.ts'
import type { Invariant } from './audit.ts'
import { privilegeFindings } from './privileges.ts'
import { postingKinds, rules } from './rules.ts'

export type Findings = RawBuilder<{ finding: string }>

/** The invariants that read only the ledger's tables. */
export const ledgerInvariants: Invariant[] = [
  { number: 1, name: 'Every posting sums to 0', check: (tx) => screened(tx, postingsSumToZero, unbalancedPostings) },
  {
    number: 2,
    name: 'Every cached balance equals its entries',
    check: (tx) => screened(tx, chainsAreWhole, brokenChains),
  },
  { number: 3, name: 'No account but custody is below zero', check: (tx) => listFindings(tx, negativeAccounts) },
  { number: 4, name: 'All accounts sum to 0', check: (tx) => listFindings(tx, wrongTotal) },
  { number: 12, name: 'One key, one effect', check: (tx) => screened(tx, keysHaveTheirEntries, keysWithOtherEffect) },
  {
    number: 16,
    name: 'No pool was ever below zero or funded against the rules',
    check: (tx) => listFindings(tx, wrongPools),
  },
  { number: 22, name: 'The audit chain is whole', check: (tx) => listFindings(tx, brokenSeals) },
  {
    number: 23,
    name: "The application's role cannot change history",
    check: (tx) => listFindings(tx, privilegeFindings),
  },
]

const NAMED_MAX = 10

/** The first few findings of a query, one sentence each. */
export async function listFindings(tx: Tx, findings: Findings): Promise<string[]> {
  const { rows } = await sql<{ finding: string }>`${findings} limit ${NAMED_MAX}`.execute(tx)
  return rows.map(({ finding }) => finding)
}

/**
 * The entries of one kind of posting on one kind of user account. The last four bits of an account id are its kind, and
 * system accounts have higher ids than all user accounts.
 */
export const entriesOf = (kind: string, account: string) => sql`
  select reference, account_id / 16 as user_number, amount from ledger_entries
  where kind = ${kind}::ledger_kind and account_id < ledger_custody()
    and account_id & 15 = (select code from ledger_account_kinds where name = ${account})`

/**
 * Grouping a million entries is slow; summing them is fast. So a screen first compares sums in which every posting, or
 * every link of an account's chain, has a random weight or hash. Intact books always pass. Broken books pass with a
 * probability of one in two billion, and each audit draws a new salt. Only a failed screen runs the slow query that
 * finds the wrong rows.
 */
async function screened(tx: Tx, screen: (salt: RawBuilder<bigint>) => RawBuilder<unknown>, findings: Findings) {
  const { rows } = await sql<{ holds: boolean }>`select ${screen(sql`${randomInt(2 ** 47)}::bigint`)} as holds`.execute(
    tx,
  )
  if (rows[0]?.holds) return []
  const found = await listFindings(tx, findings)
  return found.length > 0 ? found : ['the sums differ, but the wrong rows were not found']
}

const weight = (salt: RawBuilder<bigint>) => sql`(uuid_hash_extended(reference, hashenumextended(kind, ${salt})) >> 33)`

// A weight has 31 bits and an amount 63. Split into halves, each product fits a bigint, and sums of bigints are exact.
const postingsSumToZero = (salt: RawBuilder<bigint>) => sql`(
  select coalesce(sum((amount >> 31) * weight) * 2147483648 + sum((amount & 2147483647) * weight), 0) = 0
  from (select amount, ${weight(salt)} as weight from ledger_entries) weighed)`

const unbalancedPostings: Findings = sql`
  select format('%s %s sums to %s', kind, reference, sum(amount)) as finding
  from ledger_entries group by kind, reference having sum(amount) <> 0`

// An account is a chain of links (version, balance before), from (1, 0) to (version + 1, balance). Each entry must find
// the link that the previous entry left, so the sums of both differ only by the first and the last link.
const link = (salt: RawBuilder<bigint>, account: string, version: string, balance: string) =>
  sql`sum(hashint8extended(${sql.raw(balance)}, hashint8extended(${sql.raw(account)}, ${salt} + ${sql.raw(version)})))`

const chainsAreWhole = (salt: RawBuilder<bigint>) => sql`(
  select coalesce(entries.found - entries.left, 0) = accounts.first - accounts.last
  from (
    select ${link(salt, 'account_id', 'version', 'balance_after - amount')} as found,
      ${link(salt, 'account_id', 'version + 1', 'balance_after')} as left
    from ledger_entries
  ) entries, (
    select ${link(salt, 'id', '1', '0')} as first, ${link(salt, 'id', 'version + 1', 'balance')} as last
    from ledger_accounts
  ) accounts)`

const brokenChains: Findings = sql`
  select format('%s holds %s after %s entries, but its entries sum to %s after %s',
    ledger_account_name(coalesce(id, account_id)), balance, version, coalesce(total, 0), coalesce(entries, 0)) as finding
  from ledger_accounts
  full join (select account_id, sum(amount) as total, count(*) as entries from ledger_entries group by account_id) added
    on account_id = id
  where (balance, version) is distinct from (coalesce(total, 0), coalesce(entries, 0))
  union all
  select format('entry %s of %s does not follow from the previous one', version, ledger_account_name(account_id))
  from (
    select account_id, version, amount, balance_after, lag(version, 1, 0::bigint) over chain as version_before,
      lag(balance_after, 1, 0::bigint) over chain as balance_before
    from ledger_entries window chain as (partition by account_id order by version)
  ) step
  where version <> version_before + 1 or balance_after <> balance_before + amount`

const negativeAccounts: Findings = sql`
  select format('%s is at %s', ledger_account_name(id), balance) as finding
  from ledger_accounts where balance < 0 and id <> ledger_custody()`

const wrongTotal: Findings = sql`
  select format('all accounts sum to %s', sum(balance)) as finding
  from ledger_accounts having sum(balance) <> 0`

const keysHaveTheirEntries = (salt: RawBuilder<bigint>) => sql`(
  select entries.total is not distinct from postings.total
  from (select sum(${weight(salt)}) as total from ledger_entries) entries,
    (select sum(entries * ${weight(salt)}) as total from ledger_postings) postings)`

const keysWithOtherEffect: Findings = sql`
  select format('%s %s has %s entries instead of %s', kind, reference, coalesce(written.entries, 0),
    coalesce(known.entries, 0)) as finding
  from ledger_postings known
  full join (select kind, reference, count(*) as entries from ledger_entries group by kind, reference) written
    using (kind, reference)
  where written.entries is distinct from known.entries`

/** Each pool with every kind of posting that may fund it. */
const poolFeeds = poolKinds.flatMap((pool) =>
  postingKinds
    .filter((kind) => rules[kind].some(([, target]) => target === pool))
    .map((kind) => sql`(${pool}, ${kind}::ledger_kind)`),
)

const wrongPools: Findings = sql`
  select format('%s was at %s after its entry %s of %s', name, balance_after, version, amount) as finding
  from ledger_account_kinds
  join ledger_entries on account_id = ledger_custody() + code - 16
  where name in (${sql.join(poolKinds)})
    and (balance_after < 0 or amount > 0 and (name, kind) not in (values ${sql.join(poolFeeds)}))`

const brokenSeals: Findings = sql`
  select format('row %s of the audit log does not follow from the previous one', id) as finding
  from (
    select *, lag(id, 1, 0::bigint) over chain as id_before, lag(hash, 1, '\\x'::bytea) over chain as hash_before
    from audit_log window chain as (order by id)
  ) row
  where id <> id_before + 1 or previous_hash <> hash_before
    or hash <> audit_hash(id, at, who, what, why, previous_hash)`
