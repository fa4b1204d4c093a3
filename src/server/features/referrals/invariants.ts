import { sql } from 'kysely'
import type { Invariant } from '../../ledger/audit.ts'
import { type Findings, listFindings } from '../../ledger/findings.ts'

export const referralInvariants: Invariant[] = [
  {
    number: 27,
    name: 'Hold accounts equal open fees plus held rewards',
    check: (tx) => listFindings(tx, wrongHolds),
  },
]

const wrongHolds: Findings = sql`
  select format('%s holds %s, but open fees and held rewards sum to %s', ledger_account_name(a.id), a.balance,
    coalesce(due.amount, 0)) as finding
  from ledger_accounts a
    left join (
      select user_number, sum(amount) as amount
      from (
        select user_number, fee as amount from plan_orders where fee > 0 and fee_completed_at is null
        union all
        select user_number, amount from referral_holds where state = 'held'
      ) open group by user_number
    ) due on due.user_number = a.id / 16
  where a.id < ledger_custody() and a.id & 15 = 6 and a.balance <> coalesce(due.amount, 0)`
