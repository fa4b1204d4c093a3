import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../platform/db.ts'
import { type Findings, listFindings, type Salt, screened } from './findings.ts'
import { inPart, isOld, type Part, within } from './parts.ts'

/**
 * Invariant 2. The new entries of every account follow from its head, which is its newest sealed entry, and lead to its
 * balance. All accounts are compared, so a changed balance is found even if the account has no new entry. A full check
 * starts without heads, from zero. For an old slice, its accounts' heads are compared with the entries they stand for.
 */
export function checkChains(tx: Tx, part?: Part): Promise<string[]> {
  if (part && isOld(part)) return listFindings(tx, wrongHeads(part))
  return screened(tx, chainsAreWhole, brokenChains, (query) => fromHeads(part, query))
}

function fromHeads<Row>(part: Part | undefined, query: RawBuilder<Row>): RawBuilder<Row> {
  if (part) return within(part, ['ledger_entries'], query)
  return sql`with ledger_heads as (select * from ledger_heads where false) select * from (${query}) as found`
}

// An account is a chain of links (version, balance before), from its head, or (1, 0), to (version + 1, balance). Each
// entry must find the link that the previous entry left, so the sums of both differ only by the first and the last link.
const link = (salt: Salt, account: string, version: string, balance: string) =>
  sql`coalesce(sum(hashint8extended(${sql.raw(balance)}, hashint8extended(${sql.raw(account)}, ${salt} + ${sql.raw(version)}))), 0)`

const chainsAreWhole = (salt: Salt) => sql`(
  select entries.found - entries.left = accounts.first - accounts.last + heads.last - heads.first
  from (
    select ${link(salt, 'account_id', 'version', 'balance_after - amount')} as found,
      ${link(salt, 'account_id', 'version + 1', 'balance_after')} as left
    from ledger_entries
  ) entries, (
    select ${link(salt, 'id', '1', '0')} as first, ${link(salt, 'id', 'version + 1', 'balance')} as last
    from ledger_accounts
  ) accounts, (
    select ${link(salt, 'account_id', '1', '0')} as first, ${link(salt, 'account_id', 'version + 1', 'balance')} as last
    from ledger_heads
  ) heads)`

const brokenChains: Findings = sql`
  select format('%s holds %s after %s entries, but its entries sum to %s after %s', ledger_account_name(id), a.balance,
    a.version, coalesce(h.balance, 0) + coalesce(total, 0), coalesce(h.version, 0) + coalesce(entries, 0)) as finding
  from (select coalesce(a.id, h.account_id) as id, a.balance, a.version from ledger_accounts a
      full join ledger_heads h on h.account_id = a.id) a
    left join ledger_heads h on h.account_id = id
    full join (select account_id, sum(amount) as total, count(*) as entries from ledger_entries group by account_id) added
      on added.account_id = id
  where (a.balance, a.version) is distinct from
    (coalesce(h.balance, 0) + coalesce(total, 0), coalesce(h.version, 0) + coalesce(entries, 0))
  union all
  select format('entry %s of %s does not follow from the previous one', step.version, ledger_account_name(account_id))
  from (
    select e.account_id, e.version, amount, balance_after,
      lag(e.version, 1, coalesce(h.version, 0)) over chain as version_before,
      lag(balance_after, 1, coalesce(h.balance, 0)) over chain as balance_before
    from ledger_entries e left join ledger_heads h on h.account_id = e.account_id
    window chain as (partition by e.account_id order by e.version)
  ) step
  where version <> version_before + 1 or balance_after <> balance_before + amount`

const wrongHeads = (part: Part): Findings => sql`
  select format('the head of %s is %s after %s entries, which is not its sealed entry',
    ledger_account_name(touched.account_id), coalesce(h.balance, 0), coalesce(h.version, 0)) as finding
  from (select account_id, max(version) as version from ledger_entries where ${inPart(part)}
      group by account_id) touched
    left join ledger_heads h on h.account_id = touched.account_id
    left join ledger_entries e on e.account_id = h.account_id and e.version = h.version
  where h.version < touched.version or e.balance_after is distinct from h.balance or h.version is null`
