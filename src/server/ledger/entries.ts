import type { Db } from '../platform/db.ts'
import type { AccountId } from './accounts.ts'

/** One entry of an account, by its number: the first is 1, and there are no gaps. */
export const findEntry = (db: Db, account: AccountId, number: bigint) =>
  db
    .selectFrom('ledger_entries')
    .select(['amount', 'balance_after as balanceAfter', 'posted_at as postedAt', 'kind', 'reference'])
    .where('account_id', '=', account)
    .where('version', '=', number)
    .executeTakeFirst()
