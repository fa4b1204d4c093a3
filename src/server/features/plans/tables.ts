import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Usdt } from '../../../protocol/money.ts'
import type { OrderId } from '../../../protocol/plans.ts'
import type { Day } from '../../../protocol/time.ts'

export type OrderSource = 'chain' | 'wallet' | 'daily' | 'referral'

export type PlansTables = {
  plan_orders: {
    id: OrderId
    user_number: number
    package_type: number
    source: OrderSource
    trans_hash: string
    claim_id: string | null
    amount: Usdt
    fee: Usdt
    plan_before: Usdt
    fee_above: Usdt
    fee_percent: number
    ordered_at: Generated<Date>
    fee_completed_at: ColumnType<Date | null, never, Date>
    upline_completed_at: ColumnType<Date | null, never, Date>
  }
  plan_lots: {
    number: GeneratedAlways<bigint>
    order_id: OrderId
    user_number: number
    tier: string
    amount: Usdt
    daily_rate_ppm: number
    health_percent: number
    started_on: Day
    matures_on: Day
    matured_at: ColumnType<Date | null, never, Date>
    maturity_reference: ColumnType<string | null, never, string>
  }
  upline_rewards: {
    order_id: OrderId
    level: number
    user_number: number
    percent: number
    amount: Usdt
    paid_at: ColumnType<Date | null, never, Date>
  }
}
