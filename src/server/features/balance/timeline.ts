import { sql } from 'kysely'
import { add, subtract, type Usdt, ZERO } from '../../../protocol/money.ts'
import { addDays, type Day } from '../../../protocol/time.ts'
import { userAccount, userAccountKinds } from '../../ledger/accounts.ts'
import { getUserBalances } from '../../ledger/balances.ts'
import type { Db } from '../../platform/db.ts'

type TimelineDay = { day: Day; total: Usdt; earned: Usdt }

/** Balances at the end of each day, computed backwards from the current ones. Includes days without movements. */
export async function readTimeline(db: Db, userNumber: number, today: Day, days: number): Promise<TimelineDay[]> {
  const changes = await readChanges(db, userNumber, addDays(today, 1 - days))
  let total = add(...Object.values(await getUserBalances(db, userNumber)))
  const timeline: TimelineDay[] = []
  for (let back = 0; back < days; back++) {
    const day = addDays(today, -back)
    const { change, earned } = changes.get(day) ?? { change: ZERO, earned: ZERO }
    timeline.unshift({ day, total, earned })
    total = subtract(total, change)
  }
  return timeline
}

type Change = { change: Usdt; earned: Usdt }

async function readChanges(db: Db, userNumber: number, from: Day): Promise<Map<Day, Change>> {
  const accounts = userAccountKinds.map((kind) => userAccount(userNumber, kind))
  const { rows } = await sql<Change & { day: Day }>`
    select (posted_at at time zone 'utc')::date as day, sum(amount)::bigint as change,
           coalesce(sum(amount) filter (
             where kind in ('daily_reward', 'upline_reward', 'colour_upline', 'royalty')), 0)::bigint as earned
    from ledger_entries
    where account_id = any(${accounts}) and posted_at >= ${from}::date at time zone 'utc'
    group by 1`.execute(db)
  return new Map(rows.map(({ day, ...change }) => [day, change]))
}
