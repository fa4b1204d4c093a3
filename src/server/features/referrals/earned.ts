import { sql } from 'kysely'
import { add, type Usdt } from '../../../protocol/money.ts'
import type { Db } from '../../platform/db.ts'
import type { UplineRewards } from './upline-rewards.ts'

/** What a user was paid for purchases in their team, in total and by level. */
export async function earnedByDepth(
  db: Db,
  rewards: UplineRewards,
  userNumber: number,
): Promise<{ total: Usdt; byDepth: Map<number, Usdt> }> {
  const { rows } = await sql<{ level: number; amount: Usdt }>`
    select r.level, sum(r.amount)::bigint as amount from (${rewards}) r
    where r.user_number = ${userNumber} and r.paid_at is not null and not exists (
      select from referral_holds h where h.order_id = r.order_id and h.level = r.level and h.state = 'forfeited')
    group by r.level`.execute(db)
  return {
    total: add(...rows.map(({ amount }) => amount)),
    byDepth: new Map(rows.map((row) => [row.level, row.amount])),
  }
}
