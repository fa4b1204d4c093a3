import { sql } from 'kysely'
import type { Usdt } from '../../../protocol/money.ts'
import type { Earning, rewards } from '../../../protocol/rewards.ts'
import type { OutputOf } from '../../../protocol/route.ts'
import type { Day } from '../../../protocol/time.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { entriesOf, isEntryOf } from '../../ledger/entries.ts'
import type { Db } from '../../platform/db.ts'
import { type History, readPage } from '../../platform/history.ts'
import { ADDED_ONLY, countDays, countRows, type Days, lastCounted } from '../../platform/history-days.ts'
import type { Paging } from '../../platform/pages.ts'
import { nameOf } from '../plans/history.ts'
import type { OrderSource } from '../plans/tables.ts'
import { HOLD_REWARD_DAYS } from '../referrals/holds.ts'

/** Daily rewards. Joins on a list of days, because the day comes first in the table's primary key. */
export const earningHistory = (userNumber: number): History<EarningRow, Earning> => ({
  ...earningsOf(userNumber),
  filters: ['state'],
  // A day changes until every reward of a running plan is recorded, and every deferred one is paid.
  changesFrom: sql`least(${ADDED_ONLY},
    (select min(earned_on) from reward_deferrals where user_number = ${userNumber} and paid_by is null),
    (select min(day::date)
     from plan_lots l, generate_series(
       greatest(started_on, ${lastCounted(earningsOf(userNumber))}) + 1, least(matures_on, ${ADDED_ONLY}), interval '1 day') as day
     where l.user_number = ${userNumber} and l.matured_at is null and not exists (
       select from daily_rewards r
       where (r.earned_on, r.user_number, r.lot_number) = (day::date, l.user_number, l.number))))`,
  beginsOn: firstReward(userNumber),
  at: 'earned_on',
  atIsDay: true,
  order: ['earned_on', 'lot_number'],
  rows: ({ from, to }) => sql`
    select r.earned_on, r.lot_number, r.amount, r.health, l.amount as plan_amount, l.daily_rate_ppm, l.tier, o.source,
           ${stateOf('reward')} as state, ${stateOf('health')} as health_state
    from (
        select day::date as day from generate_series(
          greatest((${firstReward(userNumber)}), ${from ?? null}::date),
          least((select max(earned_on) from daily_rewards), ${to ?? null}::date), interval '1 day') as day
      ) as days
      join daily_rewards r on r.earned_on = days.day and r.user_number = ${userNumber}
      join plan_lots l on l.number = r.lot_number
      join plan_orders o on o.id = l.order_id`,
  rowOf: ({ health, tier, source, lot_number: _lot, ...row }) => ({
    ...row,
    plan_name: nameOf({ source, tier }),
    health_amount: health,
  }),
})

const firstReward = (userNumber: number) => sql<Day>`
  select min(started_on) + 1 from plan_lots where user_number = ${userNumber}`

const earningsOf = (userNumber: number) => ({ name: 'earnings', owner: userNumber })

type EarningRow = Omit<Earning, 'plan_name' | 'health_amount'> & {
  health: Usdt
  tier: string
  source: OrderSource
  lot_number: number
}

const stateOf = (part: 'reward' | 'health') => sql`case when exists (
  select from reward_deferrals d
  where (d.earned_on, d.user_number, d.lot_number) = (r.earned_on, r.user_number, r.lot_number)
    and d.part = ${part} and d.paid_by is null) then 'deferred' else 'paid' end`

type ReferralReward = OutputOf<typeof rewards.referrals>['data'][number]
const kinds = { upline_reward: 'upline', colour_upline: 'colour', royalty: 'royalty' } as const

/**
 * What the referral balance ever earned, and deferred upline rewards, summed up by day and level. Single rewards would
 * show an upline when a member plays, and how much.
 */
export const referralRewardHistory = (userNumber: number): History<ReferralRow, ReferralReward> => ({
  name: 'referral rewards',
  uncountedMax: 100,
  beginsOn: sql`select (posted_at at time zone 'utc')::date - 1 from ledger_entries
    where account_id = ${userAccount(userNumber, 'referral')} and version = 1`,
  owner: userNumber,
  filters: [],
  // A reward that was paid can still be held for a while. One that is held or deferred waits for a decision or for money.
  changesFrom: sql`(least(now() - make_interval(days => ${HOLD_REWARD_DAYS + 1}), (
      select min(r.paid_at) from referral_holds h join upline_rewards r on r.order_id = h.order_id and r.level = h.level
      where h.user_number = ${userNumber} and h.state = 'held'
    ), (
      select min(o.upline_completed_at) from upline_rewards r join plan_orders o on o.id = r.order_id
      where r.user_number = ${userNumber} and r.paid_at is null
    )) at time zone 'utc')::date`,
  at: 'earned_on',
  atIsDay: true,
  order: ['earned_on', 'place'],
  rows: (days) => sql`
    select *, row_number() over (partition by earned_on
      order by kind desc, level desc, state desc, month desc, percent desc) as place
    from (
      select kind, level, percent, state, earned_on, month, rank, sum(amount)::bigint as amount, count(*)::int as rewards
      from (${allRewards(userNumber, days)}) as reward
      group by kind, level, percent, state, earned_on, month, rank
    ) as summed`,
  rowOf: ({ place: _place, kind, percent, ...row }) => ({
    ...row,
    kind: kinds[kind],
    percent: percent === null ? null : String(percent),
  }),
})

/** The rewards of some days are found through the counted entries of the account, so these are counted first. */
export async function listReferralRewards(db: Db, userNumber: number, paging: Paging) {
  const entries = entriesOf(userAccount(userNumber, 'referral'))
  await countDays(db, entries, await countRows(db, entries, {}, {}))
  return readPage(db, referralRewardHistory(userNumber), { ...paging })
}

const allRewards = (userNumber: number, days: Days) => sql`
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
  where ${isEntryOf(userAccount(userNumber, 'referral'), days)} and e.kind in ('upline_reward', 'colour_upline', 'royalty')
  union all
  select 'upline_reward', r.amount, (o.upline_completed_at at time zone 'utc')::date, r.level, r.percent::float8, 'deferred',
         null, null
  from upline_rewards r join plan_orders o on o.id = r.order_id
  where r.user_number = ${userNumber} and r.paid_at is null and o.upline_completed_at is not null`

type ReferralRow = Omit<ReferralReward, 'kind' | 'percent'> & {
  kind: keyof typeof kinds
  percent: number | null
  place: bigint
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
