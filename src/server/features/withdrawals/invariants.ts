import { sql } from 'kysely'
import type { Invariant } from '../../ledger/audit.ts'
import { type Findings, listFindings } from '../../ledger/invariants.ts'

/** Each withdrawal followed the state graph, and its postings match its state. */
export const withdrawalInvariants: Invariant[] = [
  {
    number: 11,
    name: 'Withdrawal states follow the graph; pending is the sum of open ones',
    check: async (tx) => [
      ...(await listFindings(tx, wrongSteps)),
      ...(await listFindings(tx, wrongPending)),
      ...(await listFindings(tx, wrongPostings)),
    ],
  },
]

const wrongSteps: Findings = sql`
  select format('withdrawal %s went from %s to %s', c.withdrawal_id, coalesce(c.from_state, 'nothing'), c.to_state)
    as finding
  from (select *, lag(to_state) over (partition by withdrawal_id order by ordinal) as before from withdrawal_changes) c
  where c.before is distinct from c.from_state or not exists (select from withdrawal_steps s
    where s.from_state is not distinct from c.from_state and s.to_state = c.to_state)
  union all
  select format('withdrawal %s is %s, but its history ends with %s', w.id, w.state, coalesce(c.to_state, 'nothing'))
  from withdrawals w left join lateral (
    select to_state from withdrawal_changes where withdrawal_id = w.id order by ordinal desc limit 1) c on true
  where c.to_state is distinct from w.state`

const wrongPending: Findings = sql`
  select format('%s is pending, but open withdrawals sum to %s', balance, open) as finding
  from ledger_accounts, (select coalesce(sum(net), 0) as open from withdrawals
    where state in ('requested', 'waiting', 'signed', 'sent')) o
  where id = ledger_custody() + 7 and balance <> open`

/** Movements in and out of payout_pending must match the withdrawal's state. */
const wrongPostings: Findings = sql`
  select format('withdrawal %s of %s is %s, but %s was reserved, %s paid, %s returned', coalesce(w.id, p.reference),
    w.net, coalesce(w.state, 'unknown'), coalesce(reserved, 0), coalesce(paid, 0), coalesce(returned, 0)) as finding
  from withdrawals w full join (
    select reference, sum(amount) filter (where kind = 'withdrawal') as reserved,
      -sum(amount) filter (where kind = 'withdrawal_payment') as paid,
      -sum(amount) filter (where kind = 'withdrawal_return') as returned
    from ledger_entries where account_id = ledger_custody() + 7 group by reference) p on p.reference = w.id
  where w.net is distinct from reserved
    or coalesce(paid, 0) <> case w.state when 'paid' then w.net else 0 end
    or coalesce(returned, 0) <> case when w.state in ('refused', 'refunded') then w.net else 0 end`
