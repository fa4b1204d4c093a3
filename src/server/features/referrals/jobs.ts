import type { Context } from '../../context.ts'
import { transaction } from '../../platform/db.ts'
import type { Job } from '../../platform/jobs.ts'
import { findFlags } from './flags.ts'
import { lookUpFunding } from './funding.ts'
import { holdPaidRewards } from './holds.ts'

export const referralJobs = (context: Context): Job[] => [
  { name: 'flag-referrals', cron: '*/5 * * * *', run: () => flagReferrals(context) },
]

/** Looks for accounts that may be one person, and holds the rewards of which two signs say so. */
export async function flagReferrals(context: Pick<Context, 'db' | 'chain' | 'log'>): Promise<void> {
  // A node that does not answer costs one sign, not the others.
  await lookUpFunding(context).catch((error) => context.log.warn({ error }, 'funding wallets were not looked up'))
  await transaction(context.db, findFlags)
  await holdPaidRewards(context.db)
}
