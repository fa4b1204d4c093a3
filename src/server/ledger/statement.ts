import { type SelectQueryBuilder, sql } from 'kysely'
import { formatUsdt, type Usdt } from '../../protocol/money.ts'
import { addDays, type Day } from '../../protocol/time.ts'
import type { Db } from '../platform/db.ts'
import type { Tables } from '../platform/tables.ts'
import type { AccountId } from './accounts.ts'
import type { PostingKind } from './rules.ts'

/** Selects a part of an account's history. Days are UTC, and `from` and `to` are both included. */
export type StatementFilter = { account: AccountId; kind?: PostingKind; from?: Day; to?: Day }

export type StatementEntry = {
  version: bigint
  amount: Usdt
  balanceAfter: Usdt
  postedAt: Date
  kind: PostingKind
  reference: string
}

/** Newest entries first. `next` is the cursor of the next page: pass it as `before`. */
export async function listStatement(
  db: Db,
  filter: StatementFilter,
  { before, limit = 50 }: { before?: bigint | undefined; limit?: number } = {},
): Promise<{ entries: StatementEntry[]; next: bigint | undefined }> {
  const rows = await narrowed(db.selectFrom('ledger_entries'), filter)
    .select(['version', 'amount', 'balance_after as balanceAfter', 'posted_at as postedAt', 'kind', 'reference'])
    .$if(before !== undefined, (query) => query.where('version', '<', before ?? 0n))
    .orderBy('version', 'desc')
    .limit(limit + 1)
    .execute()
  const entries = rows.slice(0, limit)
  return { entries, next: rows.length > limit ? entries.at(-1)?.version : undefined }
}

export type DayTotal = { day: Day; kind: PostingKind; received: Usdt; spent: Usdt; entries: number }

/** Amounts received and spent, by day and kind, newest day first. */
export async function listTotals(db: Db, filter: StatementFilter): Promise<DayTotal[]> {
  const day = sql<Day>`(posted_at at time zone 'utc')::date`
  return await narrowed(db.selectFrom('ledger_entries'), filter)
    .select([
      day.as('day'),
      'kind',
      sql<Usdt>`sum(greatest(amount, 0))::bigint`.as('received'),
      sql<Usdt>`sum(-least(amount, 0))::bigint`.as('spent'),
      sql<number>`count(*)::int`.as('entries'),
    ])
    .groupBy([day, 'kind'])
    .orderBy('day', 'desc')
    .orderBy('kind')
    .execute()
}

/** Streams the statement as CSV, line by line, so that memory use does not depend on its length. */
export async function* statementCsv(db: Db, filter: StatementFilter): AsyncGenerator<string> {
  yield 'posted_at,kind,reference,amount,balance_after\r\n'
  let before: bigint | undefined
  do {
    const { entries, next } = await listStatement(db, filter, { before, limit: 1_000 })
    for (const { postedAt, kind, reference, amount, balanceAfter } of entries)
      yield `${postedAt.toISOString()},${kind},${reference},${formatUsdt(amount)},${formatUsdt(balanceAfter)}\r\n`
    before = next
  } while (before !== undefined)
}

const startOf = (day: Day): Date => new Date(`${day}T00:00:00Z`)

function narrowed<Output>(
  query: SelectQueryBuilder<Tables, 'ledger_entries', Output>,
  { account, kind, from, to }: StatementFilter,
): SelectQueryBuilder<Tables, 'ledger_entries', Output> {
  let narrow = query.where('account_id', '=', account)
  if (kind) narrow = narrow.where('kind', '=', kind)
  if (from) narrow = narrow.where('posted_at', '>=', startOf(from))
  if (to) narrow = narrow.where('posted_at', '<', startOf(addDays(to, 1)))
  return narrow
}
