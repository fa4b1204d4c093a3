import { sql } from 'kysely'
import { add, type Usdt } from '../../../protocol/money.ts'
import { addDays, type Day } from '../../../protocol/time.ts'
import { type AccountId, userAccount, userAccountKinds } from '../../ledger/accounts.ts'
import type { Db } from '../../platform/db.ts'

type TimelineDay = { day: Day; total: Usdt; earned: Usdt }

/** The balance of all accounts at the end of each day, as the ledger recorded it. Includes days without movements. */
export async function readTimeline(db: Db, userNumber: number, today: Day, days: number): Promise<TimelineDay[]> {
  const before = addDays(today, -days)
  const closings = Map.groupBy(await listClosings(db, userNumber, before), ({ day }) => day)
  const balances = new Map<AccountId, Usdt>()
  const timeline = Array.from({ length: days + 1 }, (_, at) => {
    const day = addDays(before, at)
    const closed = closings.get(day) ?? []
    for (const { account, balance } of closed) balances.set(account, balance)
    return { day, total: add(...balances.values()), earned: add(...closed.map(({ earned }) => earned)) }
  })
  return timeline.slice(1)
}

type Closing = { day: Day; account: AccountId; balance: Usdt; earned: Usdt }

/**
 * The last balance of each account on each day with movements. Everything earlier than `before` counts as that day, so
 * the timeline starts with the right balances. Entries are ordered by version: a transaction that started before
 * midnight can post after one that started later, so the days alone may be out of order. So each account is read from
 * its newest entry back to one that is a whole day older, which also has the first balance.
 */
async function listClosings(db: Db, userNumber: number, before: Day): Promise<Closing[]> {
  const accounts = userAccountKinds.map((kind) => userAccount(userNumber, kind))
  const lastBefore = sql`lateral (select (
    select version from ledger_entries where account_id = account and posted_at < ${`${addDays(before, -1)}T00:00:00Z`}
    order by version desc limit 1) as first)`
  const { rows } = await sql<Closing>`
    select account_id as account, day, (array_agg(balance_after order by version desc))[1] as balance,
           coalesce(sum(amount) filter (
             where kind in ('daily_reward', 'upline_reward', 'colour_upline', 'royalty')), 0)::bigint as earned
    from (
      select e.*, max(greatest((posted_at at time zone 'utc')::date, ${before}::date))
          over (partition by account_id order by version) as day
      from unnest(${accounts}::bigint[]) as account, ${lastBefore} as last, ledger_entries e
      where e.account_id = account and e.version >= coalesce(last.first, 0)
    ) entry
    group by account_id, day`.execute(db)
  return rows
}
