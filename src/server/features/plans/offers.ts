import { sql } from 'kysely'
import { type Usdt, ZERO } from '../../../protocol/money.ts'
import { systemAccount } from '../../ledger/accounts.ts'
import { getBalance } from '../../ledger/balances.ts'
import type { Db } from '../../platform/db.ts'
import { termsAt } from '../../platform/terms.ts'

/** The tiers, and how many days of rewards the pool covers. Users see both before they pay. */
export async function readOffers(db: Db) {
  const { tiers, planAmountMax } = await termsAt(db)
  return {
    data: tiers.map((tier) => ({
      package_type: tier.packageType,
      name: tier.name,
      amount_min: tier.from,
      amount_max: tier.to,
      daily_rate_ppm: Number(tier.dailyRatePpm),
      term_days: tier.termDays,
    })),
    max_amount: planAmountMax,
    pool_cover_days: await readCoverDays(db),
  }
}

/** Whole days for which the reward pool can pay the active lots; null if there are none. */
async function readCoverDays(db: Db): Promise<number | null> {
  const [pool, { reward }] = await Promise.all([getBalance(db, systemAccount('reward_pool')), readDailyCosts(db)])
  return reward > 0n ? Number(pool / reward) : null
}

/** Daily reward of all active lots together, and their health share. */
export async function readDailyCosts(db: Db): Promise<{ reward: Usdt; health: Usdt }> {
  const { rows } = await sql<{ reward: Usdt; health: Usdt }>`
    select coalesce(sum(amount * daily_rate_ppm / 1000000), 0)::bigint as reward,
      coalesce(sum(amount * daily_rate_ppm / 1000000 * health_percent / 100), 0)::bigint as health
    from plan_lots where matured_at is null`.execute(db)
  return rows[0] ?? { reward: ZERO, health: ZERO }
}
