import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import { subtract, type Usdt, ZERO } from '../../../protocol/money.ts'
import type { Day } from '../../../protocol/time.ts'
import { accountsOf, systemAccount } from '../../ledger/accounts.ts'
import { getBalance } from '../../ledger/balances.ts'
import { postBulk } from '../../ledger/post.ts'
import { newId, type Tx } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'

export type Claimed = { paid: Usdt; healthPaid: Usdt; deferred: Usdt }

/** Pays one user for every day that is due and not recorded yet. Concurrent calls pay each day once. */
export async function claimRewards(tx: Tx, userNumber: number, today: Day): Promise<Claimed> {
  const reference = newId()
  const { rows } = await sql<{ earned_on: Day }>`
    insert into daily_rewards (earned_on, user_number, lot_number, amount, health, reference)
    select day::date, user_number, number, ${rewardOf}, ${healthOf}, ${reference}::uuid
    from plan_lots, generate_series(started_on + 1, least(${today}::date, matures_on), interval '1 day') as day
    where user_number = ${userNumber} and matured_at is null
      and not exists (
        select from daily_rewards known
        where (known.earned_on, known.user_number, known.lot_number) = (day::date, plan_lots.user_number, number))
    order by 1, 3
    on conflict do nothing
    returning earned_on`.execute(tx)
  const days = [...new Set(rows.map(({ earned_on }) => earned_on))]
  if (days.length === 0) return { paid: ZERO, healthPaid: ZERO, deferred: ZERO }
  const scope = sql`r.earned_on = any(${days}::date[]) and r.user_number = ${userNumber} and reference = ${reference}`
  const claimed = await payRecorded(tx, reference, scope)
  await publish(tx, { topic: 'balance', user: userNumber })
  return claimed
}

/** A lot's daily reward, from columns of plan_lots. The formula is also in protocol/rewards; invariant 15 checks it. */
export const rewardOf = sql`amount * daily_rate_ppm / 1000000`
export const healthOf = sql`${rewardOf} * health_percent / 100`

/**
 * Pays any number of recorded rewards in one posting, so that each pool is debited once. Rewards that a pool cannot
 * cover are deferred; the oldest lots are paid first. No reward is lost, and none is paid without funds. `scope` is the
 * condition on `daily_rewards r`.
 */
export async function payRecorded(tx: Tx, reference: string, scope: RawBuilder<unknown>): Promise<Claimed> {
  const all = sql`select user_number, amount, health from daily_rewards r where ${scope}`
  try {
    await postBulk(tx, { kind: 'daily_reward', reference, movements: movementsOf(all) })
    const { reward, health } = await sum(tx, all)
    return { paid: reward, healthPaid: health, deferred: ZERO }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'insufficient_balance') throw error
  }
  await defer(tx, 'reward', await getBalance(tx, systemAccount('reward_pool')), scope)
  await defer(tx, 'health', await getBalance(tx, systemAccount('health_pool')), scope)
  const covered = sql`
    select user_number, case when ${isDeferred('reward')} then 0 else amount end as amount,
           case when ${isDeferred('health')} then 0 else health end as health
    from daily_rewards r where ${scope}`
  await postBulk(tx, { kind: 'daily_reward', reference, movements: movementsOf(covered) })
  const [due, paid] = [await sum(tx, all), await sum(tx, covered)]
  return { paid: paid.reward, healthPaid: paid.health, deferred: subtract(due.reward, paid.reward) }
}

const movementsOf = (rewards: RawBuilder<unknown>) => sql`
  with due as (
    select user_number, sum(amount)::bigint as amount, sum(health)::bigint as health
    from (${rewards}) as reward group by user_number
  )
  select ${systemAccount('reward_pool')}::bigint, ${accountsOf('reward')}, amount from due where amount > 0
  union all
  select ${systemAccount('health_pool')}::bigint, ${accountsOf('health')}, health from due where health > 0`

async function sum(tx: Tx, rewards: RawBuilder<unknown>): Promise<{ reward: Usdt; health: Usdt }> {
  const { rows } = await sql<{ reward: Usdt; health: Usdt }>`
    select coalesce(sum(amount), 0)::bigint as reward, coalesce(sum(health), 0)::bigint as health
    from (${rewards}) as reward`.execute(tx)
  if (!rows[0]) throw new Error('an aggregate returned no row')
  return rows[0]
}

const isDeferred = (part: 'reward' | 'health') => sql<boolean>`exists (
  select from reward_deferrals d
  where (d.earned_on, d.user_number, d.lot_number) = (r.earned_on, r.user_number, r.lot_number) and d.part = ${part})`

/** Defers what exceeds the balance. If another transaction spends from the pool meanwhile, the posting fails. */
async function defer(tx: Tx, part: 'reward' | 'health', balance: Usdt, scope: RawBuilder<unknown>): Promise<void> {
  const amount = sql.ref(part === 'reward' ? 'amount' : 'health')
  await sql`
    insert into reward_deferrals (earned_on, user_number, lot_number, part, amount)
    select earned_on, user_number, lot_number, ${part}, amount
    from (
      select earned_on, user_number, lot_number, ${amount} as amount,
             sum(${amount}) over (order by earned_on, lot_number) as running
      from daily_rewards r where ${scope}
    ) as due
    where running > ${balance} and amount > 0`.execute(tx)
}
