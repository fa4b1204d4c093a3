import type { Context } from '../../context.ts'
import { readToday } from '../../platform/clock.ts'
import { transaction } from '../../platform/db.ts'
import { HOUR_MS, type Job, MINUTE_MS } from '../../platform/jobs.ts'
import { payDeferred } from './deferred.ts'
import { matureLots } from './maturity.ts'
import { closeMonth, lastMonth } from './royalty.ts'
import { runDailyRewards } from './run.ts'

export const rewardJobs = (context: Context): Job[] => [
  // Some minutes into the day, when everything that began before midnight has ended; each hour again, for what came late.
  { name: 'daily-rewards', everyMs: HOUR_MS, atMs: 5 * MINUTE_MS, run: () => runDay(context) },
  { name: 'pay-deferred-rewards', everyMs: MINUTE_MS, run: () => payDeferred(context.db) },
  // A month is closed once, ten minutes after its end; in the other hours there is nothing to do.
  { name: 'close-royalty-month', everyMs: HOUR_MS, atMs: 10 * MINUTE_MS, run: () => closeLastMonth(context) },
]

/** The night's work: what waited, the new day, then the principal of what has ended. */
export async function runDay(context: Context): Promise<void> {
  await payDeferred(context.db)
  const { days, chunks, paid, deferred } = await runDailyRewards(context)
  const matured = await matureLots(context)
  if (chunks > 0 || matured > 0)
    context.log.info({ days, chunks, paid: String(paid), deferred: String(deferred), matured }, 'daily rewards')
}

async function closeLastMonth({ db, clock }: Context): Promise<void> {
  const today = await readToday(db, clock)
  await transaction(db, (tx) => closeMonth(tx, lastMonth(today)))
}
