import { type RawBuilder, sql } from 'kysely'
import { poolKinds } from './accounts.ts'
import type { Invariant } from './audit.ts'
import { checkChains } from './chains.ts'
import { type Findings, listFindings, type Salt, screened } from './findings.ts'
import { type Part, within } from './parts.ts'
import { privilegeFindings } from './privileges.ts'
import { postingKinds, rules } from './rules.ts'

/** The invariants that read only the ledger's tables. */
export const ledgerInvariants: Invariant[] = [
  {
    number: 1,
    name: 'Every posting sums to 0',
    isOfHistory: true,
    check: (tx, part) => screened(tx, postingsSumToZero, unbalancedPostings, (query) => ofEntries(part, query)),
  },
  {
    number: 2,
    name: 'Every cached balance equals its entries',
    isOfHistory: true,
    check: checkChains,
  },
  { number: 3, name: 'No account but custody is below zero', check: (tx) => listFindings(tx, negativeAccounts) },
  { number: 4, name: 'All accounts sum to 0', check: (tx) => listFindings(tx, wrongTotal) },
  {
    number: 12,
    name: 'One key, one effect',
    isOfHistory: true,
    check: (tx, part) =>
      screened(tx, keysHaveTheirEntries, keysWithOtherEffect, (query) =>
        within(part, ['ledger_entries', 'ledger_postings'], query),
      ),
  },
  {
    number: 16,
    name: 'No pool was ever below zero or funded against the rules',
    isOfHistory: true,
    check: (tx, part) => listFindings(tx, ofEntries(part, wrongPools)),
  },
  { number: 22, name: 'The audit chain is whole', check: (tx) => listFindings(tx, brokenSeals) },
  {
    number: 23,
    name: "The application's role cannot change history",
    check: (tx) => listFindings(tx, privilegeFindings),
  },
  {
    number: 30,
    name: 'Sealed history is unchanged',
    isOfHistory: true,
    check: (tx, part) => listFindings(tx, changedSlices(part)),
  },
]

const ofEntries = <Row>(part: Part | undefined, query: RawBuilder<Row>) => within(part, ['ledger_entries'], query)

const weight = (salt: Salt) => sql`(uuid_hash_extended(reference, hashenumextended(kind, ${salt})) >> 33)`

// A weight has 31 bits and an amount 63. Split into halves, each product fits a bigint, and sums of bigints are exact.
const postingsSumToZero = (salt: Salt) => sql`(
  select coalesce(sum((amount >> 31) * weight) * 2147483648 + sum((amount & 2147483647) * weight), 0) = 0
  from (select amount, ${weight(salt)} as weight from ledger_entries) weighed)`

const unbalancedPostings: Findings = sql`
  select format('%s %s sums to %s', kind, reference, sum(amount)) as finding
  from ledger_entries group by kind, reference having sum(amount) <> 0`

const negativeAccounts: Findings = sql`
  select format('%s is at %s', ledger_account_name(id), balance) as finding
  from ledger_accounts where balance < 0 and id <> ledger_custody()`

const wrongTotal: Findings = sql`
  select format('all accounts sum to %s', sum(balance)) as finding
  from ledger_accounts having sum(balance) <> 0`

const keysHaveTheirEntries = (salt: Salt) => sql`(
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

/** Seals whose rows have changed, and seals that do not follow from the one before. A new row has no seal yet. */
const changedSlices = (part: Part | undefined): Findings => sql`
  select format('the rows of transactions %s to %s are not those that seal %s covers', tx_from, seal.tx_to - 1, seal.id)
    as finding
  from (
    select *, lag(hash, 1, '\\x'::bytea) over chain as hash_before, lag(tx_to, 1, 0::bigint) over chain as tx_before
    from ledger_seals window chain as (order by id)
  ) seal, ledger_checkpoint c
  where seal.id >= c.first_seal and ${part ? sql`tx_from >= ${part.from} and seal.tx_to <= ${part.to ?? part.from}` : sql`true`}
    and c.system_identifier = (select system_identifier from pg_control_system())
    and (not exists (select from ledger_digest(tx_from, seal.tx_to) found
        where (found.entries, found.digest) = (seal.entries, seal.digest))
      or seal.hash <> ledger_seal_hash(hash_before, tx_from, seal.tx_to, seal.digest)
      or tx_from <> case seal.id when c.first_seal then 0 else tx_before end)`

const brokenSeals: Findings = sql`
  select format('row %s of the audit log does not follow from the previous one', id) as finding
  from (
    select *, lag(id, 1, 0::bigint) over chain as id_before, lag(hash, 1, '\\x'::bytea) over chain as hash_before
    from audit_log window chain as (order by id)
  ) row
  where id <> id_before + 1 or previous_hash <> hash_before
    or hash <> audit_hash(id, at, who, what, why, previous_hash)`
