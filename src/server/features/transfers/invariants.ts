import { sql } from 'kysely'
import { sourceByAccount } from '../../../protocol/balance.ts'
import type { Address } from '../../../protocol/ids.ts'
import type { Usdt } from '../../../protocol/money.ts'
import { transferTypedData } from '../../../protocol/transfers.ts'
import type { Chain } from '../../chain/client.ts'
import { isContract, isSignedByKey } from '../../chain/step-up.ts'
import type { Invariant } from '../../ledger/audit.ts'
import { type Findings, listFindings, type Salt, screened } from '../../ledger/findings.ts'
import { inPart, type Part, partsOfAll, within } from '../../ledger/parts.ts'
import { createVerified } from '../../ledger/verified.ts'
import type { Tx } from '../../platform/db.ts'

/** Each transfer matches its posting, goes from one existing user to another, and is signed unless that is optional. */
export const transferInvariants = (chain: Chain): Invariant[] => [
  {
    number: 21,
    name: 'Transfers go to another, existing user, signed beyond the allowance',
    isOfHistory: true,
    check: async (tx, part) => [
      ...(await screened(tx, postedAsWritten, wrongTransfers, (query) => within(part, HISTORY, query))),
      ...(await listWrongTimes(tx, part)),
      ...(await listFindings(tx, within(part, ['transfers'], wrongUsers))),
      ...(await listFindings(tx, unsignedTransfers(part))),
      ...(await wrongSignatures(tx, chain, part)),
    ],
  },
]

/** How far the clocks of the API and the database may differ. */
const CLOCK_MINUTES = 10
/** For how many days before today the allowance is checked. */
const UNSIGNED_DAYS = 2

/** A transfer and its posting are one transaction. */
const HISTORY = ['transfers', 'ledger_entries']

// Each transfer has one debit entry and one credit entry. Any other entry of this kind is a finding. Grouping entries by
// their posting is slow, so sums of hashes of both sides are compared first.
const postedAsWritten = (salt: Salt) => sql`(
  select coalesce((select sum(hash_record_extended(row(reference, account_id / 16, amount), ${salt}))
      from ledger_entries where kind = 'transfer'), 0)
    = coalesce((select sum(hash_record_extended(row(id, from_number::bigint, -amount), ${salt})
      + hash_record_extended(row(id, to_number::bigint, amount), ${salt})::numeric) from transfers), 0))`

const wrongTransfers: Findings = sql`
  select format('transfer %s of %s from user %s to %s was posted as %s from %s to %s', coalesce(t.id, p.reference),
    coalesce(t.amount, 0), t.from_number, t.to_number, coalesce(p.amount, 0), p.payer, p.payee) as finding
  from transfers t full join (
    select reference, max(amount) as amount, max(account_id / 16) filter (where amount < 0) as payer,
      max(account_id / 16) filter (where amount > 0) as payee
    from ledger_entries where kind = 'transfer' group by reference) p on p.reference = t.id
  where (t.amount, t.from_number::bigint, t.to_number::bigint) is distinct from (p.amount, p.payer, p.payee)`

// The allowance counts by this time.
const wrongTimes: Findings = sql`
  select format('transfer %s at %s was posted at %s', id, sent_at, posted_at) as finding
  from transfers join ledger_entries on reference = id and kind = 'transfer' and ledger_entries.amount > 0
  where abs(extract(epoch from sent_at - posted_at)) > ${CLOCK_MINUTES * 60}`

/** No sum can compare times that may differ, so the rows are joined: too many at once for a long history. */
async function listWrongTimes(tx: Tx, part?: Part): Promise<string[]> {
  const findings: string[] = []
  for (const some of part ? [part] : await partsOfAll(tx))
    findings.push(...(await listFindings(tx, within(some, HISTORY, wrongTimes))))
  return findings
}

const wrongUsers: Findings = sql`
  select format('transfer %s goes from user %s to user %s', t.id, t.from_number, t.to_number) as finding from transfers t
  where t.from_number = t.to_number
    or not exists (select from users where number = t.from_number)
    or not exists (select from users where number = t.to_number)`

// A day on which the terms changed has the larger of its allowances.
const unsignedTransfers = (part?: Part): Findings => sql`
  with unsigned as (
    select *, date_trunc('day', sent_at, 'UTC') as day from transfers
    where sent_at >= date_trunc('day', now() - make_interval(days => ${UNSIGNED_DAYS}), 'UTC') and signature is null
      and not predates_signatures and ${inPart(part)}
  )
  select format('user %s sent %s on %s without a signature', u.from_number, sum(t.amount),
    (u.day at time zone 'UTC')::date) as finding
  from (select distinct from_number, day from unsigned) u
    join transfers t on t.from_number = u.from_number and t.sent_at >= u.day
      and t.sent_at < u.day + make_interval(hours => 24) and t.signature is null and not t.predates_signatures
  group by u.from_number, u.day
  having sum(t.amount) > (select max(terms_amount(terms, 'transferUnsignedDailyMax')) from terms_periods
    where starts_at < u.day + make_interval(hours => 24) and ends_at > u.day)
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
  /** The sender's wallet at that time. If it has just changed, the others of the minutes by which clocks may differ. */
  wallets: Address[]
}

const NAMED_MAX = 10
/** Recovering a signer is slow, and a new row is read by many audits. */
const verified = createVerified()

/** The sender signed the recipient's name. After a deletion only the posting still has it. */
const nameSigned = sql`case when recipient.deleted_at is null then recipient.username else (
  select reply ->> 'username' from ledger_postings where kind = 'transfer' and reference = t.id) end`

async function wrongSignatures(tx: Tx, chain: Chain, part?: Part): Promise<string[]> {
  const { rows } = await sql<Signed>`
    select t.id, t.amount, t.source, t.nonce, t.deadline, t.signature, ${nameSigned} as recipient,
      array(select wallet_at(t.from_number, t.sent_at + minutes * interval '1 minute')::text
        from unnest(${[-CLOCK_MINUTES, 0, CLOCK_MINUTES]}::int[]) as minutes) as wallets
    from transfers t join users sender on sender.number = t.from_number
      join users recipient on recipient.number = t.to_number
    where t.signature is not null and ${inPart(part, 't.tx')}`.execute(tx)
  const findings: string[] = []
  for (const { id, source, recipient: to, wallets, signature, ...row } of rows) {
    const key = JSON.stringify([id, source, to, wallets, signature, row.nonce, row.deadline, String(row.amount)])
    if (verified.has(key)) continue
    const data = transferTypedData({ ...row, source: sourceByAccount[source], to, chainId: chain.settings.chainId })
    if (await isSignedByOne(chain, new Set(wallets), data, signature)) {
      verified.add(key)
      continue
    }
    findings.push(`transfer ${id} is not signed by the wallet of its sender`)
    if (findings.length >= NAMED_MAX) break
  }
  return findings
}

/** A contract wallet was called when the transfer was made. It may have changed its keys since. */
async function isSignedByOne(
  chain: Chain,
  wallets: Iterable<Address>,
  data: ReturnType<typeof transferTypedData>,
  signature: string,
): Promise<boolean> {
  for (const wallet of wallets)
    if ((await isSignedByKey(wallet, data, signature)) || (await isContract(chain, wallet))) return true
  return false
}
