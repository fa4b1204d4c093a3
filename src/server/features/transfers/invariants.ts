import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { sourceByAccount } from '../../../protocol/balance.ts'
import type { Address } from '../../../protocol/ids.ts'
import type { Usdt } from '../../../protocol/money.ts'
import { transferTypedData } from '../../../protocol/transfers.ts'
import type { Chain } from '../../chain/client.ts'
import { isContract, isSignedByKey } from '../../chain/step-up.ts'
import type { Invariant } from '../../ledger/audit.ts'
import { type Findings, listFindings } from '../../ledger/findings.ts'
import { verifyOnce } from '../../ledger/verified.ts'
import type { Tx } from '../../platform/db.ts'

/** Each transfer matches its posting, goes from one existing user to another, and is signed unless that is optional. */
export const transferInvariants = (chain: Chain): Invariant[] => [
  {
    number: 21,
    name: 'Transfers go to another, existing user, signed beyond the allowance',
    check: async (tx) => [
      ...(await listFindings(tx, wrongTransfers)),
      ...(await listFindings(tx, unsignedTransfers)),
      ...(await verifiedSignatures(tx, (since) => wrongSignatures(tx, chain, since))),
    ],
  },
]

/** How far the clocks of the API and the database may differ. */
const CLOCK_MINUTES = 10
/** For how many days before today the allowance is checked. */
const UNSIGNED_DAYS = 2

// Each transfer has one debit entry and one credit entry. Any other entry of this kind is a finding. The time is
// compared too, because the allowance counts by it.
const wrongTransfers: Findings = sql`
  select format('transfer %s of %s from user %s to %s at %s was posted as %s from %s to %s at %s',
    coalesce(t.id, p.reference), coalesce(t.amount, 0), t.from_number, t.to_number, t.sent_at, coalesce(p.amount, 0),
    p.payer, p.payee, p.posted_at) as finding
  from transfers t full join (
    select reference, max(amount) as amount, max(account_id / 16) filter (where amount < 0) as payer,
      max(account_id / 16) filter (where amount > 0) as payee, max(posted_at) as posted_at
    from ledger_entries where kind = 'transfer' group by reference) p on p.reference = t.id
  where (t.amount, t.from_number::bigint, t.to_number::bigint) is distinct from (p.amount, p.payer, p.payee)
    or abs(extract(epoch from t.sent_at - p.posted_at)) > ${CLOCK_MINUTES * 60}
  union all
  select format('transfer %s goes from user %s to user %s', t.id, t.from_number, t.to_number) from transfers t
  where t.from_number = t.to_number
    or not exists (select from users where number = t.from_number)
    or not exists (select from users where number = t.to_number)`

// A day on which the terms changed has the larger of its allowances.
const unsignedTransfers: Findings = sql`
  with unsigned as (
    select *, date_trunc('day', sent_at, 'UTC') as day from transfers
    where sent_at >= date_trunc('day', now() - make_interval(days => ${UNSIGNED_DAYS}), 'UTC') and signature is null
      and not predates_signatures
  )
  select format('user %s sent %s on %s without a signature', from_number, sum(amount), (day at time zone 'UTC')::date)
    as finding
  from unsigned group by from_number, day
  having sum(amount) > (select max(terms_amount(terms, 'transferUnsignedDailyMax')) from terms_periods
    where starts_at < day + make_interval(hours => 24) and ends_at > day)
  union all
  select format('transfer %s to a new recipient has no signature', id) from unsigned u
  where not exists (select from transfers t where t.from_number = u.from_number and t.to_number = u.to_number
    and (t.signature is not null or t.predates_signatures) and t.sent_at <= u.sent_at)`

type Signed = {
  id: string
  amount: Usdt
  source: 'wallet' | 'reward' | 'referral'
  nonce: string
  deadline: Date
  signature: string
  recipient: string
  wallet: Address
}

const NAMED_MAX = 10

async function wrongSignatures(tx: Tx, chain: Chain, since: Date): Promise<string[]> {
  const { rows } = await sql<Signed>`
    select t.id, t.amount, t.source, t.nonce, t.deadline, t.signature, recipient.username as recipient,
      sender.wallet_address as wallet
    from transfers t join users sender on sender.number = t.from_number
      join users recipient on recipient.number = t.to_number
    where t.signature is not null and t.sent_at > ${since}`.execute(tx)
  const findings: string[] = []
  for (const { id, source, recipient: to, wallet, signature, ...row } of rows) {
    const data = transferTypedData({ ...row, source: sourceByAccount[source], to, chainId: chain.settings.chainId })
    // A contract wallet was called when the transfer was made. It may have changed its keys since.
    if ((await isSignedByKey(wallet, data, signature)) || (await isContract(chain, wallet))) continue
    findings.push(`transfer ${id} is not signed by the wallet of its sender`)
    if (findings.length >= NAMED_MAX) break
  }
  return findings
}

const salt = randomInt(2 ** 47)

const verifiedSignatures = verifyOnce({
  async checksumOf(tx, upTo) {
    const { rows } = await sql<{ checksum: string }>`
      select coalesce(sum(hash_record_extended(row(t.id, t.from_number, t.to_number, t.source, t.amount, t.nonce,
        t.deadline, t.signature, t.sent_at, u.wallet_address), ${salt}::bigint)), 0)::text as checksum
      from transfers t join users u on u.number = t.from_number
      where t.signature is not null and t.sent_at <= ${upTo}`.execute(tx)
    return rows[0]?.checksum ?? ''
  },
  async newestOf(tx) {
    const { rows } = await sql<{ newest: Date | null }>`
      select max(sent_at) as newest from transfers
      where signature is not null and sent_at < now() - make_interval(mins => ${CLOCK_MINUTES + 1})`.execute(tx)
    return rows[0]?.newest ?? undefined
  },
})
