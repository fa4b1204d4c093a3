import { sql } from 'kysely'
import type { Invariant } from '../../ledger/audit.ts'
import { type Findings, listFindings } from '../../ledger/findings.ts'
import { inPart, type Part, within } from '../../ledger/parts.ts'

export const rewardInvariants: Invariant[] = [
  {
    number: 15,
    name: 'One reward per lot and day, recomputable',
    isOfHistory: true,
    check: (tx, part) => listFindings(tx, within(part, HISTORY, wrongRewards(part))),
  },
]

const HISTORY = ['daily_rewards', 'ledger_entries', 'ledger_postings']

/**
 * Compares the daily rewards that the ledger paid a user with what the lots earned, minus what was deferred, plus what was paid
 * of earlier deferrals. A deferral is inserted with its reward and paid by a later posting.
 */
const unequal = (range: Part | undefined, part: 'reward' | 'health', column: 'amount' | 'health') => sql`
  select format('user %s was paid %s to %s, but the lots earned %s', coalesce(earned.user_number, paid.user_number),
    coalesce(paid.amount, 0), ${part}::text, coalesce(earned.amount, 0))
  from (
      select user_number, sum(amount) as amount
      from (
        select user_number, ${sql.ref(column)} as amount from daily_rewards
        union all
        select user_number, -amount from reward_deferrals where part = ${part} and ${inPart(range)}
        union all
        select user_number, amount from reward_deferrals where part = ${part}
          and paid_by in (select reference from ledger_postings where kind = 'daily_reward')
      ) due group by user_number
    ) earned
    full join (
      select account_id / 16 as user_number, sum(amount) as amount from ledger_entries
      where kind = 'daily_reward' and account_id < ledger_custody()
        and account_id & 15 = (select code from ledger_account_kinds where name = ${part})
      group by 1
    ) paid on paid.user_number = earned.user_number
  where coalesce(earned.amount, 0) <> coalesce(paid.amount, 0)`

const wrongRewards = (part?: Part): Findings => sql`
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
  union all ${unequal(part, 'reward', 'amount')}
  union all ${unequal(part, 'health', 'health')}
  union all
  select format('the deferral of lot %s on %s is marked as paid, but nothing was posted', lot_number, earned_on)
  from reward_deferrals where ${inPart(part)} and paid_by is not null and not exists (
    -- Written with its schema: whichever part the posting is in.
    select from public.ledger_postings p where p.kind = 'daily_reward' and p.reference = paid_by)`
