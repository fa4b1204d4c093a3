import { sql } from 'kysely'
import type { Usdt } from '../../../protocol/money.ts'
import type { rewards } from '../../../protocol/rewards.ts'
import { type OutputOf, PAGE_SIZE } from '../../../protocol/route.ts'
import type { Day } from '../../../protocol/time.ts'
import { userAccount } from '../../ledger/accounts.ts'
import type { Db } from '../../platform/db.ts'
import { nameOf } from '../plans/history.ts'
import type { OrderSource } from '../plans/tables.ts'

type Page<Row> = { data: Row[]; total: number }
type Earning = OutputOf<typeof rewards.earnings>['data'][number]

/** Daily rewards, newest first. Joins on a list of days, because the day comes first in the table's primary key. */
export async function listEarnings(db: Db, userNumber: number, page: number): Promise<Page<Earning>> {
  const { rows } = await sql<EarningRow>`
    select r.earned_on, r.amount, r.health, l.amount as plan_amount, l.daily_rate_ppm, l.tier, o.source,
           count(*) over () as total,
           ${isWaiting('reward')} as deferred, ${isWaiting('health')} as health_deferred
    from (
        select distinct day::date as day
        from plan_lots, generate_series(started_on + 1, matures_on, interval '1 day') as day
        where user_number = ${userNumber}
      ) as days
      join daily_rewards r on r.earned_on = days.day and r.user_number = ${userNumber}
      join plan_lots l on l.number = r.lot_number
      join plan_orders o on o.id = l.order_id
    order by r.earned_on desc, r.lot_number desc
    limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}`.execute(db)
  const data = rows.map(({ health, deferred, health_deferred, tier, source, total, ...row }) => ({
    ...row,
    plan_name: nameOf({ source, tier }),
    health_amount: health,
    state: stateOf(deferred),
    health_state: stateOf(health_deferred),
  }))
  return { data, total: Number(rows[0]?.total ?? 0n) }
}

type EarningRow = {
  earned_on: Day
  amount: Usdt
  health: Usdt
  plan_amount: Usdt
  daily_rate_ppm: number
  tier: string
  source: OrderSource
  deferred: boolean
  health_deferred: boolean
  total: bigint
}

const isWaiting = (part: 'reward' | 'health') => sql`exists (
  select from reward_deferrals d
  where (d.earned_on, d.user_number, d.lot_number) = (r.earned_on, r.user_number, r.lot_number)
    and d.part = ${part} and d.paid_by is null)`
const stateOf = (deferred: boolean) => (deferred ? ('deferred' as const) : ('paid' as const))

type ReferralReward = OutputOf<typeof rewards.referrals>['data'][number]
const kinds = { upline_reward: 'upline', colour_upline: 'colour', royalty: 'royalty' } as const

/**
 * What the referral balance ever earned, and deferred upline rewards, summed up by day and level. Single rewards would
 * show an upline when a member plays, and how much.
 */
export async function listReferralRewards(db: Db, userNumber: number, page: number): Promise<Page<ReferralReward>> {
  const { rows } = await sql<ReferralRow>`
    select kind, level, percent, state, earned_on, month, rank, sum(amount)::bigint as amount,
           count(*)::int as rewards, count(*) over () as total
    from (${allRewards(userNumber)}) as reward
    group by kind, level, percent, state, earned_on, month, rank
    order by earned_on desc, kind, level, state, month, percent
    limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}`.execute(db)
  const data = rows.map(({ total: _total, kind, percent, ...row }) => ({
    ...row,
    kind: kinds[kind],
    percent: percent === null ? null : String(percent),
  }))
  return { data, total: Number(rows[0]?.total ?? 0n) }
}

const allRewards = (userNumber: number) => sql`
  select e.kind::text, e.amount, (e.posted_at at time zone 'utc')::date as earned_on,
         coalesce(r.level, array_position(c.ancestors, ${userNumber}::int)) as level,
         coalesce(r.percent, c.permilles[array_position(c.ancestors, ${userNumber}::int)] / 10.0)::float8 as percent,
         case when h.state in ('held', 'forfeited') then h.state else 'paid' end as state, s.month, s.rank
  from ledger_entries e
    left join upline_rewards r on e.kind = 'upline_reward' and r.order_id = e.reference
      and r.user_number = ${userNumber}
    left join referral_holds h on h.order_id = r.order_id and h.level = r.level
    left join colour_uplines c on e.kind = 'colour_upline' and c.bet_id = e.reference
    left join royalty_shares s on e.kind = 'royalty' and s.id = e.reference
  where e.account_id = ${userAccount(userNumber, 'referral')} and e.kind in ('upline_reward', 'colour_upline', 'royalty')
  union all
  select 'upline_reward', r.amount, (o.upline_completed_at at time zone 'utc')::date, r.level, r.percent::float8, 'deferred',
         null, null
  from upline_rewards r join plan_orders o on o.id = r.order_id
  where r.user_number = ${userNumber} and r.paid_at is null and o.upline_completed_at is not null`

type ReferralRow = Omit<ReferralReward, 'kind' | 'percent'> & {
  kind: keyof typeof kinds
  percent: number | null
  total: bigint
}

/** What a user earned that is deferred until the pool is funded. */
export async function readDeferred(
  db: Db,
  userNumber: number,
): Promise<{ reward: Usdt; health: Usdt; referral: Usdt }> {
  const { rows } = await sql<{ reward: Usdt; health: Usdt; referral: Usdt }>`
    select
      coalesce(sum(amount) filter (where part = 'reward'), 0)::bigint as reward,
      coalesce(sum(amount) filter (where part = 'health'), 0)::bigint as health,
      (select coalesce(sum(r.amount), 0)::bigint from upline_rewards r join plan_orders o on o.id = r.order_id
       where r.user_number = ${userNumber} and r.paid_at is null and o.upline_completed_at is not null) as referral
    from reward_deferrals where user_number = ${userNumber} and paid_by is null`.execute(db)
  if (!rows[0]) throw new Error('an aggregate returned no row')
  return rows[0]
}
