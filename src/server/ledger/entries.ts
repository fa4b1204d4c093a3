import { sql } from 'kysely'
import { addDays } from '../../protocol/time.ts'
import type { Db } from '../platform/db.ts'
import { ADDED_ONLY, type Counted, type Days, lastCounted, rowsUntil, startOf } from '../platform/history-days.ts'
import type { AccountId } from './accounts.ts'

/** One entry of an account, by its number: the first is 1, and there are no gaps. */
export const findEntry = (db: Db, account: AccountId, number: bigint) =>
  db
    .selectFrom('ledger_entries')
    .select(['amount', 'balance_after as balanceAfter', 'posted_at as postedAt', 'kind', 'reference'])
    .where('account_id', '=', account)
    .where('version', '=', number)
    .executeTakeFirst()

/** The entries of one account, newest first. An entry's version is its number in the account, without gaps. */
export const entriesOf = (account: AccountId) =>
  ({
    name: 'entries',
    owner: account,
    filters: ['kind'],
    changesFrom: ADDED_ONLY,
    at: 'posted_at',
    // Clocks differ between database machines, so the times of entries around midnight may not follow their order.
    atIsRough: true,
    order: ['number'],
    rows: (days: Days) => sql<{ number: bigint }>`
      select e.version as number, e.posted_at, e.kind from ledger_entries e where ${isEntryOf(account, days)}`,
  }) satisfies Counted<{ number: bigint }>

/**
 * The entries `e` of an account, or at least those of some days. Times have no index, but the kept counts of days say
 * which versions to read: entries two days apart are in order, and versions have no gaps. After the last counted day the
 * end is searched for, because counting a month of a long account must not read all that follows it.
 */
export function isEntryOf(account: AccountId, { from, to }: Days) {
  const entries = { name: 'entries', owner: account }
  const conditions = [sql<boolean>`e.account_id = ${account}`]
  if (from) conditions.push(sql`e.version > ${rowsUntil(entries, addDays(from, -2))}`)
  if (to)
    conditions.push(sql`e.version <= case when ${lastCounted(entries)} > ${to}::date
      then ${rowsUntil(entries, addDays(to, 1))} else ledger_version_before(${account}, ${startOf(addDays(to, 2))}) end`)
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}
