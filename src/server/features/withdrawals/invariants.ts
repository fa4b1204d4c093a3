import { sql } from 'kysely'
import type { Chain } from '../../chain/client.ts'
import type { Invariant } from '../../ledger/audit.ts'
import { type Findings, listFindings } from '../../ledger/findings.ts'
import { inPart, isOld, type Part, within } from '../../ledger/parts.ts'
import type { Tx } from '../../platform/db.ts'
import type { WithdrawalRow } from './tables.ts'
import { findRecordFaults, findSignatureFaults, vaultIdOf } from './verify.ts'

/** Each withdrawal followed the state graph, and its postings match its state. */
export const withdrawalInvariants: Invariant[] = [
  {
    number: 11,
    name: 'Withdrawal states follow the graph; pending is the sum of open ones',
    isOfHistory: true,
    check: async (tx, part) => [
      ...(await listFindings(tx, ofChanged(part, wrongSteps))),
      ...(isOld(part) ? [] : await listFindings(tx, wrongPending)),
      ...(await listFindings(tx, ofChanged(part, missingPostings))),
      ...(await listFindings(tx, within(part, ['ledger_entries'], wrongPostings))),
    ],
  },
]

/** Uses the checks of the payer (verify.ts), so a forged row is also found while it waits. */
export const signatureInvariants = (chain: Chain): Invariant[] => [
  {
    number: 28,
    name: 'Every withdrawal was signed by its wallet, reserved by its posting and approved',
    isOfHistory: true,
    check: async (tx, part) => [
      ...(await listFindings(tx, within(part, ['chain_payouts'], foreignPayouts))),
      ...(await listForgeries(tx, chain, part)),
      ...(await listWrongIds(tx, chain, part)),
    ],
  },
]

const NAMED_MAX = 10

/** Verifies open withdrawals in every audit, and the others in their part. */
async function listForgeries(tx: Tx, chain: Chain, part?: Part): Promise<string[]> {
  const which = sql<boolean>`(${inPart(part, 'w.tx')} or ${isOld(part) ? sql`false` : sql`w.state in ('requested', 'waiting', 'signed', 'sent')`})`
  const shown = await findRecordFaults(tx, which)
  // What the database shows is reported, even if no node can be asked about a contract wallet's signature.
  const faults = shown.length > 0 ? shown : await findSignatureFaults(tx, chain, which)
  return faults.slice(0, NAMED_MAX).map(({ id, problem }) => `withdrawal ${id} ${problem}`)
}

/** The vault must have paid each withdrawal with the id that its user signed. */
async function listWrongIds(tx: Tx, chain: Chain, part?: Part): Promise<string[]> {
  const { rows } = await sql<WithdrawalRow & { paid_id: string }>`
    select w.*, v.id as paid_id from vault_payments v
      join chain_payments t on t.tx_hash = v.tx_hash and t.from_address = v.vault and t.to_address = v.wallet
      join chain_bookings b on b.payment_id = t.id and b.kind = 'withdrawal_payment'
      join withdrawals w on w.id = b.reference
    where ${inPart(part, 'v.tx')}`.execute(tx)
  return rows
    .filter((row) => vaultIdOf(chain, row) !== row.paid_id)
    .slice(0, NAMED_MAX)
    .map(({ id, paid_id }) => `withdrawal ${id} was paid with the id ${paid_id}, which is not its own`)
}

const foreignPayouts: Findings = sql`
  select format('the payout with nonce %s belongs to no withdrawal', nonce) as finding from chain_payouts
  where not exists (select from withdrawals where id = reference)`

/** Withdrawals that were requested, or changed their state, in this part, with all their states. */
const ofChanged = (part: Part | undefined, query: Findings): Findings =>
  part
    ? sql`with changed as (
        select id from withdrawals where ${inPart(part)}
        union select withdrawal_id from withdrawal_changes where ${inPart(part)}
      ), withdrawals as (select * from withdrawals where id in (select id from changed)),
      withdrawal_changes as (select * from withdrawal_changes where withdrawal_id in (select id from changed))
      select * from (${query}) as found`
    : query

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

/** A withdrawal has exactly the postings that its state asks for. */
const missingPostings: Findings = sql`
  select format('withdrawal %s of %s is %s, but %s', w.id, w.net, w.state, case
      when reserved is null then 'was not reserved' when paid is not null then 'its payment was posted'
      when returned is not null then 'its return was posted' else 'nothing was paid or returned' end) as finding
  from withdrawals w
    left join ledger_postings reserved on reserved.kind = 'withdrawal' and reserved.reference = w.id
    left join ledger_postings paid on paid.kind = 'withdrawal_payment' and paid.reference = w.id
    left join ledger_postings returned on returned.kind = 'withdrawal_return' and returned.reference = w.id
  where reserved.reference is null or (paid.reference is not null) <> (w.state = 'paid')
    or (returned.reference is not null) <> (w.state in ('refused', 'refunded'))`

/** Every movement in or out of payout_pending is a withdrawal's, with its amount. */
const wrongPostings: Findings = sql`
  select format('withdrawal %s of %s is %s, but %s moved %s', e.reference, w.net, coalesce(w.state, 'unknown'), e.kind,
    e.amount) as finding
  from ledger_entries e left join withdrawals w on w.id = e.reference
  where e.account_id = ledger_custody() + 7
    and e.amount is distinct from case e.kind when 'withdrawal' then w.net else -w.net end`
