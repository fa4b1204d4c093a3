import { sql } from 'kysely'
import { type Usdt, ZERO } from '../../../protocol/money.ts'
import { readFinalReserves } from '../../chain/reserves.ts'
import type { Context } from '../../context.ts'
import { getSystemBalances } from '../../ledger/balances.ts'
import { readLiabilities } from '../../ledger/liabilities.ts'
import type { Db } from '../../platform/db.ts'
import { readDailyCosts } from '../plans/offers.ts'

const WITHDRAWAL_DAYS = 7
const HISTORY_DAYS = 30

/** The pools, and how many days each can pay for the active lots if nobody new joins. */
export async function readPools(db: Db) {
  const [balances, cost] = await Promise.all([getSystemBalances(db), readDailyCosts(db)])
  const row = (name: 'reward_pool' | 'health_pool' | 'royalty_pool' | 'house', daily: Usdt) => ({
    name,
    balance: balances[name],
    daily_cost: daily,
    cover_days: daily > 0n ? Number(balances[name] / daily) : null,
  })
  return [
    row('reward_pool', cost.reward),
    row('health_pool', cost.health),
    row('royalty_pool', ZERO),
    row('house', ZERO),
  ]
}

export async function readWithdrawalTimes(db: Db) {
  const { rows } = await sql<{ paid: number; median_seconds: number | null; slowest_seconds: number | null }>`
    select count(*)::int as paid,
      percentile_cont(0.5) within group (order by extract(epoch from changed_at - requested_at))::int as median_seconds,
      max(extract(epoch from changed_at - requested_at))::int as slowest_seconds
    from withdrawals where state = 'paid' and changed_at > now() - ${WITHDRAWAL_DAYS} * interval '1 day'`.execute(db)
  if (!rows[0]) throw new Error('an aggregate returned no row')
  return { days: WITHDRAWAL_DAYS, ...rows[0] }
}

/** Stores one point of the chart every few minutes, none while the chain node does not answer. */
export async function measureTrust({ db, chain }: Context): Promise<void> {
  const [{ amount }, { total }] = await Promise.all([readFinalReserves(db, chain), readLiabilities(db)])
  await sql`insert into trust_history (reserves, liabilities) values (${amount}, ${total}) on conflict do nothing`.execute(
    db,
  )
}

export async function listHistory(db: Db) {
  const { rows } = await sql<{ at: Date; reserves: Usdt; liabilities: Usdt }>`
    select distinct on (date_trunc('hour', measured_at)) measured_at as at, reserves, liabilities
    from trust_history where measured_at > now() - ${HISTORY_DAYS} * interval '1 day'
    order by date_trunc('hour', measured_at), measured_at desc`.execute(db)
  return rows
}
