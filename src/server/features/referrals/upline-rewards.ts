import type { RawBuilder } from 'kysely'
import type { Usdt } from '../../../protocol/money.ts'
import type { OrderId } from '../../../protocol/plans.ts'

/** Every upline reward with its purchase, as a query that plans provides: its tables are not ours to read. */
export type UplineRewards = RawBuilder<{
  order_id: OrderId
  level: number
  user_number: number
  percent: number
  amount: Usdt
  paid_at: Date | null
  buyer_number: number
  purchase_amount: Usdt
}>
