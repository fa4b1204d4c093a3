import { sql } from 'kysely'
import type { Usdt } from '../../../protocol/money.ts'
import { type HistoryRow, type OrderId, planName } from '../../../protocol/plans.ts'
import type { Day } from '../../../protocol/time.ts'
import { feePackageType } from '../../../protocol/top-up.ts'
import type { Db } from '../../platform/db.ts'
import type { History } from '../../platform/history.ts'
import { ADDED_ONLY } from '../../platform/history-days.ts'
import type { OrderSource } from './tables.ts'

/** Orders. Each fee is a separate row. */
export const planHistory = (userNumber: number): History<Row, HistoryRow> => ({
  name: 'plans',
  owner: userNumber,
  filters: [],
  changesFrom: ADDED_ONLY,
  at: 'ordered_at',
  order: ['ordered_at', 'id', 'is_fee'],
  rows: () => sql`
    select o.id, o.package_type, o.source, o.trans_hash, o.ordered_at, l.tier,
      case when l.matured_at is not null then l.matures_on end as matured_on, part.amount, part.is_fee
    from plan_orders o
      join plan_lots l on l.order_id = o.id,
      lateral (values (o.amount - o.fee, false), (o.fee, true)) as part (amount, is_fee)
    where o.user_number = ${userNumber} and part.amount > 0`,
  rowOf,
})

type Row = {
  id: OrderId
  package_type: number
  source: OrderSource
  trans_hash: string
  ordered_at: Date
  tier: string
  matured_on: Day | null
  amount: Usdt
  is_fee: boolean
}

const rowOf = (row: Row): HistoryRow => ({
  Plan_name: nameOf(row),
  Plan_Amount: row.amount,
  start_date: row.ordered_at,
  order_id: row.id,
  package_type: row.is_fee && isTopUp(row.source) ? feePackageType[row.source] : row.package_type,
  trans_hash: row.trans_hash,
  matured_on: row.is_fee ? null : row.matured_on,
})

const isTopUp = (source: OrderSource) => source === 'daily' || source === 'referral'

/** The plan name shown in the plan history and in the daily rewards. */
export function nameOf({ source, tier, is_fee = false }: { source: OrderSource; tier: string; is_fee?: boolean }) {
  if (!isTopUp(source)) return planName.tier(tier)
  return is_fee ? planName.fee[source] : planName.topUp[source]
}

export async function findClaimOrder(db: Db, claimId: string): Promise<OrderId> {
  const { id } = await db
    .selectFrom('plan_orders')
    .select('id')
    .where('claim_id', '=', claimId)
    .executeTakeFirstOrThrow()
  return id
}
