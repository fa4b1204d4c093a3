import { sql } from 'kysely'
import { type Usdt, ZERO } from '../../../protocol/money.ts'
import { terms } from '../../../protocol/terms.ts'
import { systemAccount } from '../../ledger/accounts.ts'
import { getBalance } from '../../ledger/balances.ts'
import type { Db } from '../../platform/db.ts'

/** The tiers, and how many days of rewards the pool covers. Users see both before they pay. */
export async function readOffers(db: Db) {
  return {
    data: terms.tiers.map((tier) => ({
      package_type: tier.packageType,
      name: tier.name,
      amount_min: tier.from,
      amount_max: tier.to,
      daily_rate_ppm: Number(tier.dailyRatePpm),
      term_days: tier.termDays,
    })),
    max_amount: terms.planAmountMax,
    pool_cover_days: await readCoverDays(db),
  }
}

/** Whole days for which the reward pool can pay the active lots; null if there are none. */
async function readCoverDays(db: Db): Promise<number | null> {
  const [pool, cost] = await Promise.all([getBalance(db, systemAccount('reward_pool')), readDailyCost(db)])
  return cost > 0n ? Number(pool / cost) : null
}

/** Daily reward of all active lots together. */
export async function readDailyCost(db: Db): Promise<Usdt> {
  const { rows } = await sql<{ cost: Usdt }>`
    select coalesce(sum(amount * daily_rate_ppm / 1000000), 0)::bigint as cost
    from plan_lots where matured_at is null`.execute(db)
  return rows[0]?.cost ?? ZERO
}
