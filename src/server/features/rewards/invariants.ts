import { sql } from 'kysely'
import type { Invariant } from '../../ledger/audit.ts'
import { type Findings, listFindings } from '../../ledger/findings.ts'

export const rewardInvariants: Invariant[] = [
  { number: 15, name: 'One reward per lot and day, recomputable', check: (tx) => listFindings(tx, wrongRewards) },
]

/** Compares the daily rewards that the ledger paid a user with what the lots earned, minus deferrals. */
const unequal = (part: 'reward' | 'health', column: 'amount' | 'health') => sql`
  select format('user %s was paid %s to %s, but the lots earned %s', coalesce(earned.user_number, paid.user_number),
    coalesce(paid.amount, 0), ${part}::text, coalesce(earned.amount, 0))
  from (
      select user_number, sum(amount) as amount
      from (
        select user_number, ${sql.ref(column)} as amount from daily_rewards
        union all
        select user_number, -amount from reward_deferrals where part = ${part} and paid_by is null
      ) due group by user_number
    ) earned
    full join (
      select account_id / 16 as user_number, sum(amount) as amount from ledger_entries
      where kind = 'daily_reward' and account_id < ledger_custody()
        and account_id & 15 = (select code from ledger_account_kinds where name = ${part})
      group by 1
    ) paid on paid.user_number = earned.user_number
  where coalesce(earned.amount, 0) <> coalesce(paid.amount, 0)`

const wrongRewards: Findings = sql`
  select format('lot %s on %s: %s and %s instead of %s and %s', r.lot_number, r.earned_on, r.amount, r.health,
    coalesce(due.amount, 0), coalesce(due.health, 0)) as finding
  from daily_rewards r
    left join (
      select number, user_number, started_on, matures_on, amount * daily_rate_ppm / 1000000 as amount,
             amount * daily_rate_ppm / 1000000 * health_percent / 100 as health
      from plan_lots
    ) due on due.number = r.lot_number and due.user_number = r.user_number
      and r.earned_on > due.started_on and r.earned_on <= due.matures_on
  where (r.amount, r.health) is distinct from (due.amount, due.health)
  union all
  select format('lot %s earned twice on %s', lot_number, earned_on)
  from daily_rewards group by lot_number, earned_on having count(*) > 1
  union all ${unequal('reward', 'amount')}
  union all ${unequal('health', 'health')}`
