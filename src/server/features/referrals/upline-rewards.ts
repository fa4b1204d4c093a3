import type { RawBuilder } from 'kysely'
import type { Usdt } from '../../../protocol/money.ts'
import type { OrderId } from '../../../protocol/plans.ts'

/** A query for every upline reward with its purchase. Provided by plans, because we may not name its tables. */
export type UplineRewards = RawBuilder<{
  order_id: OrderId
  level: number
  user_number: number
  percent: number
  amount: Usdt
  paid_at: Date | null
  buyer_number: number
}>
