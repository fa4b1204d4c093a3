import { sql } from 'kysely'
import type { OrderId } from '../../../protocol/plans.ts'
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/db.ts'
import { type Job, MINUTE_MS } from '../../platform/jobs.ts'
import { flagReferrals } from './holds.ts'
import { completeFee, completeUpline } from './orders.ts'
import { payDeferredUplines } from './upline.ts'

/** Abandoned orders are complete within 15 minutes: two minutes less, because the job runs once a minute. */
const OPEN_MINUTES_MAX = 13

const ORDERS_AT_ONCE = 1_000

export const planJobs = (context: Context): Job[] => [
  { name: 'sweep-plan-orders', everyMs: MINUTE_MS, run: () => sweepOrders(context) },
  { name: 'flag-referrals', everyMs: 5 * MINUTE_MS, run: () => flagReferrals(context) },
  { name: 'pay-deferred-uplines', everyMs: MINUTE_MS, run: () => payDeferredUplines(context.db) },
]

/** Completes orders that the client abandoned: settles the fee and releases the upline rewards. */
export async function sweepOrders({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - OPEN_MINUTES_MAX * 60_000)
  const { rows } = await sql<{ id: OrderId }>`
    select id from plan_orders
    where ordered_at < ${before} and (upline_completed_at is null or (fee > 0 and fee_completed_at is null))
    order by ordered_at limit ${ORDERS_AT_ONCE}`.execute(db)
  // Two transactions: the upline's accounts come before `fees` in lock order (R3).
  for (const { id } of rows) {
    await transaction(db, (tx) => completeFee(tx, id))
    await transaction(db, (tx) => completeUpline(tx, id))
  }
}
