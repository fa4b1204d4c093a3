import { sql } from 'kysely'
import type { Invariant } from '../../ledger/audit.ts'
import { type Findings, listFindings } from '../../ledger/invariants.ts'

/** Each transfer matches its posting and goes from one existing user to another. */
export const transferInvariants: Invariant[] = [
  { number: 21, name: 'Transfers go to another, existing user', check: (tx) => listFindings(tx, wrongTransfers) },
]

// Each transfer has one debit entry and one credit entry. Any other entry of this kind is a finding.
const wrongTransfers: Findings = sql`
  select format('transfer %s of %s from user %s to %s was posted as %s from %s to %s', coalesce(t.id, p.reference),
    coalesce(t.amount, 0), t.from_number, t.to_number, coalesce(p.amount, 0), p.payer, p.payee) as finding
  from transfers t full join (
    select reference, max(amount) as amount, max(account_id / 16) filter (where amount < 0) as payer,
      max(account_id / 16) filter (where amount > 0) as payee
    from ledger_entries where kind = 'transfer' group by reference) p on p.reference = t.id
  where (t.amount, t.from_number::bigint, t.to_number::bigint) is distinct from (p.amount, p.payer, p.payee)
  union all
  select format('transfer %s goes from user %s to user %s', t.id, t.from_number, t.to_number) from transfers t
  where t.from_number = t.to_number
    or not exists (select from users where number = t.from_number)
    or not exists (select from users where number = t.to_number)`
