import type { Context } from '../../context.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { findFlags } from '../referrals/flags.ts'
import { lookUpFunding } from '../referrals/funding.ts'
import { findSuspects, holdRewards, lockEarners } from '../referrals/holds.ts'
import { recordTransfersAsFunding } from '../transfers/funding.ts'
import { uplineRewards } from './upline.ts'

/** Looks for users who may be the same person, and holds rewards: shared funding is enough, other signs must be two. */
export async function flagReferrals(context: Pick<Context, 'db' | 'chain' | 'log'>): Promise<void> {
  // If the chain node is down, only this sign is skipped.
  await lookUpFunding(context).catch((error) => context.log.warn({ error }, 'looking up funding wallets failed'))
  await transaction(context.db, async (tx) => {
    await recordTransfersAsFunding(tx)
    await findFlags(tx)
  })
  await holdPaidRewards(context.db)
}

/** Holds rewards that were paid before the signs were found. */
export async function holdPaidRewards(db: Db): Promise<void> {
  for (const { order_id } of await findSuspects(db, uplineRewards))
    await transaction(db, async (tx) => {
      await tx.selectFrom('upline_rewards').select('level').where('order_id', '=', order_id).forUpdate().execute()
      const suspects = await findSuspects(tx, uplineRewards, order_id)
      await lockEarners(tx, suspects)
      await holdRewards(tx, suspects)
    })
}
