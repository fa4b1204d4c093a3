import { sql } from 'kysely'
import type { Details } from '../../../protocol/balance.ts'
import { micro, type Usdt } from '../../../protocol/money.ts'
import type { OrderId } from '../../../protocol/plans.ts'
import { maturedOf } from '../../../protocol/referral-maturity.ts'
import { dailyReward } from '../../../protocol/rewards.ts'
import type { Day } from '../../../protocol/time.ts'
import type { Context, User } from '../../context.ts'
import { getUserBalances } from '../../ledger/balances.ts'
import { readToday } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { termsAt } from '../../platform/terms.ts'
import { readWithdrawable } from '../plans/availability.ts'
import { nameOf } from '../plans/history.ts'
import type { OrderSource } from '../plans/tables.ts'
import { readMaturity } from '../referrals/maturity.ts'
import { readDeferred } from '../rewards/history.ts'

/** Everything the pages show about a user's money. */
export async function readDetails({ db, config, clock }: Context, user: User): Promise<Details> {
  const today = await readToday(db, clock)
  const terms = await termsAt(db)
  const balances = await getUserBalances(db, user.number)
  const [maturity, withdrawable, lots, pending, deferred] = await Promise.all([
    readMaturity(db, user.number),
    readWithdrawable(db, user.number, balances, terms),
    listLots(db, user.number),
    listPending(db, user.number),
    readDeferred(db, user.number),
  ])
  return {
    planreward: balances.reward,
    planreff: balances.referral,
    planamount: balances.plan,
    max_amount: terms.planAmountMax,
    minimumamount: terms.planAmountMin,
    withdrawfee: Number(terms.withdrawalFeePercent),
    wallet_address: user.walletAddress,
    support: config.chain.vault,
    TWA: withdrawable.total,
    BWA: withdrawable.now,
    planreff_matured: maturedOf(balances.referral, maturity),
    planreff_matures_at: maturity.nextAt,
    wallet: balances.wallet,
    bet: balances.bet,
    health: balances.health,
    hold: balances.hold,
    today,
    lots,
    pending,
    deferred,
  }
}

async function listLots(db: Db, userNumber: number): Promise<Details['lots']> {
  const { rows } = await sql<LotRow>`
    select l.order_id, l.tier, l.amount, l.daily_rate_ppm, l.started_on, l.matures_on, o.source
    from plan_lots l join plan_orders o on o.id = l.order_id
    where l.user_number = ${userNumber} and l.matured_at is null
    order by l.matures_on, l.number`.execute(db)
  return rows.map(({ source, ...row }) => ({
    ...row,
    plan_name: nameOf({ source, tier: row.tier }),
    daily_reward: dailyReward(row.amount, BigInt(row.daily_rate_ppm)),
  }))
}

type LotRow = {
  order_id: OrderId
  tier: string
  amount: Usdt
  daily_rate_ppm: number
  started_on: Day
  matures_on: Day
  source: OrderSource
}

async function listPending(db: Db, userNumber: number): Promise<Details['pending']> {
  const rows = await db
    .selectFrom('chain_claims')
    .select(['amount', 'details', 'tx_hash', 'claimed_at'])
    .where('user_number', '=', userNumber)
    .where('product', '=', 'plan')
    .where('state', '=', 'waiting')
    .orderBy('claimed_at')
    .execute()
  return rows.map(({ amount, details, tx_hash, claimed_at }) => ({
    usdt_amount: micro(amount),
    package_type: (details as { packageType: number }).packageType,
    trans_hash: tx_hash,
    claimed_at,
  }))
}
