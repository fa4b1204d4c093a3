import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Chain } from '../../chain/client.ts'
import type { Invariant } from '../../ledger/audit.ts'
import { type Findings, listFindings } from '../../ledger/findings.ts'
import { verifyOnce } from '../../ledger/verified.ts'
import type { Tx } from '../../platform/db.ts'
import { findRecordFaults, findSignatureFaults } from './verify.ts'

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

/** Uses the checks of the payer (verify.ts), so a forged row is also found while it waits. */
export const signatureInvariants = (chain: Chain): Invariant[] => [
  {
    number: 28,
    name: 'Every withdrawal was signed by its wallet, reserved by its posting and approved',
    check: async (tx) => [
      ...(await listFindings(tx, foreignPayouts)),
      ...(await verifiedWithdrawals(tx, (since) => listForgeries(tx, chain, since))),
    ],
  },
]

const NAMED_MAX = 10

/** Verifies open withdrawals in every audit, and each other one once. */
async function listForgeries(tx: Tx, chain: Chain, since: Date): Promise<string[]> {
  const which = sql<boolean>`(w.requested_at > ${since} or w.state in ('requested', 'waiting', 'signed', 'sent'))`
  const shown = await findRecordFaults(tx, which)
  // What the database shows is reported, even if no node can be asked about a contract wallet's signature.
  const faults = shown.length > 0 ? shown : await findSignatureFaults(tx, chain, which)
  return faults.slice(0, NAMED_MAX).map(({ id, problem }) => `withdrawal ${id} ${problem}`)
}

const salt = randomInt(2 ** 47)

const verifiedWithdrawals = verifyOnce({
  async checksumOf(tx, upTo) {
    const { rows } = await sql<{ checksum: string }>`
      select coalesce(sum(hash_record_extended(row(w.id, w.user_number, w.source, w.amount, w.fee, w.to_address,
        w.nonce, w.deadline, w.signature, w.requested_at, u.wallet_address), ${salt}::bigint)), 0)::text as checksum
      from withdrawals w join users u on u.number = w.user_number where w.requested_at <= ${upTo}`.execute(tx)
    return rows[0]?.checksum ?? ''
  },
  async newestOf(tx) {
    const { rows } = await sql<{ newest: Date | null }>`
      select max(requested_at) as newest from withdrawals where requested_at < now() - interval '1 minute'`.execute(tx)
    return rows[0]?.newest ?? undefined
  },
})

const foreignPayouts: Findings = sql`
  select format('the payout with nonce %s belongs to no withdrawal', nonce) as finding from chain_payouts
  where not exists (select from withdrawals where id = reference)`

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
