import type { ColumnType, Generated } from 'kysely'
import type { Usdt } from '../../../protocol/money.ts'
import type { Day } from '../../../protocol/time.ts'

export type RewardsTables = {
  daily_rewards: {
    earned_on: Day
    user_number: number
    lot_number: bigint
    amount: Usdt
    health: Usdt
    reference: string
  }
  reward_deferrals: {
    earned_on: Day
    user_number: number
    lot_number: bigint
    part: 'reward' | 'health'
    amount: Usdt
    paid_by: ColumnType<string | null, never, string>
    paid_at: ColumnType<Date | null, never, Date>
  }
  reward_runs: { earned_on: Day; chunk: number; reference: string; ran_at: Generated<Date> }
  royalty_months: { month: Day; budget: Usdt; weight: bigint; claimable_until: Day; closed_at: Generated<Date> }
  royalty_shares: {
    id: string
    month: Day
    user_number: number
    rank: string
    volume: Usdt
    weight: bigint
    amount: Usdt
    paid_at: ColumnType<Date | null, never, Date>
  }
}
