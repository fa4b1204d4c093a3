import type { Context } from '../../context.ts'
import { HOUR_MS, type Job, MINUTE_MS } from '../../platform/jobs.ts'
import { payDeferred } from './deferred.ts'
import { matureLots } from './maturity.ts'
import { closeDueMonths } from './royalty.ts'
import { runDailyRewards } from './run.ts'

export const DAILY_JOB = 'daily-rewards'

export const rewardJobs = (context: Context): Job[] => [
  // Five minutes into the day, when work from before midnight has finished, and again every hour, to catch up.
  { name: DAILY_JOB, everyMs: HOUR_MS, atMs: 5 * MINUTE_MS, run: () => runDay(context) },
  { name: 'pay-deferred-rewards', everyMs: MINUTE_MS, run: () => payDeferred(context.db) },
  // Closes a month ten minutes after its end, or every missed month later. In other hours there is nothing to do.
  { name: 'close-royalty-month', everyMs: HOUR_MS, atMs: 10 * MINUTE_MS, run: () => closeDueMonths(context) },
]

/** The nightly work: deferred rewards, the new day's rewards, then matured lots. */
async function runDay(context: Context): Promise<void> {
  await payDeferred(context.db)
  const { days, chunks, paid, deferred } = await runDailyRewards(context)
  const matured = await matureLots(context)
  if (chunks > 0 || matured > 0)
    context.log.info({ days, chunks, paid: String(paid), deferred: String(deferred), matured }, 'daily rewards')
}
