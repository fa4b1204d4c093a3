import { sql } from 'kysely'
import { add, type Usdt } from '../../protocol/money.ts'
import type { Db } from '../platform/db.ts'

/** What a user was paid from purchases below them, by how many levels below. */
export async function earnedByDepth(db: Db, userNumber: number): Promise<{ total: Usdt; byDepth: Map<number, Usdt> }> {
  const { rows } = await sql<{ level: number; amount: Usdt }>`
    select level, sum(amount)::bigint as amount from upline_rewards
    where user_number = ${userNumber} and paid_at is not null group by level`.execute(db)
  return {
    total: add(...rows.map(({ amount }) => amount)),
    byDepth: new Map(rows.map((row) => [row.level, row.amount])),
  }
}
