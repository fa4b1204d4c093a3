import { type RawBuilder, sql } from 'kysely'
import { WALLET_CHANGE_HOURS } from '../../../protocol/wallet-changes.ts'
import type { Chain } from '../../chain/client.ts'
import { isContract, isSignedByKey } from '../../chain/step-up.ts'
import type { Invariant } from '../../ledger/audit.ts'
import { type Findings, listFindings } from '../../ledger/findings.ts'
import { inPart, isOld, type Part } from '../../ledger/parts.ts'
import { createVerified } from '../../ledger/verified.ts'
import type { Tx } from '../../platform/db.ts'
import { type SignedChange, signaturesOf, signedColumns } from './wallet-changes-due.ts'

/** Every wallet that a user has or had is signed for, and belongs to no other user. */
export const walletChangeInvariants = (chain: Chain): Invariant[] => [
  {
    number: 34,
    name: 'Every change of wallet was signed by both wallets, waited and led to the wallet of its user',
    isOfHistory: true,
    check: async (tx, part) => [
      ...(await listFindings(tx, wrongTimes(part))),
      ...(await listFindings(tx, brokenChains(part))),
      ...(await listFindings(tx, sharedWallets(part))),
      ...(await listForgeries(tx, chain, part)),
    ],
  },
]

/** The old slices, which together are read once a day, have those that were done earlier. */
const RECENT_HOURS = 48

/** Changes `c` of a part. A row is done long after it was inserted, so open and new ones are read by every audit. */
const inScope = (part?: Part): RawBuilder<boolean> =>
  sql`(${inPart(part, 'c.tx')} or ${
    isOld(part)
      ? sql`false`
      : sql`c.done_at > now() - make_interval(hours => ${RECENT_HOURS}) or (c.done_at is null and c.cancelled_at is null)`
  })`

const wrongTimes = (part?: Part): Findings => sql`
  select format('the change of wallet %s was asked for at %s, may be done at %s and was done at %s', c.id, c.asked_at,
    c.takes_effect_at, c.done_at) as finding
  from wallet_changes c
  where ${inScope(part)} and (
    c.takes_effect_at < c.asked_at + make_interval(hours => ${WALLET_CHANGE_HOURS}) or c.done_at < c.takes_effect_at
    or (c.done_at is not null and c.cancelled_at is not null))`

/** Each change begins with the wallet that the one before led to, and the last one leads to the user's wallet. */
const brokenChains = (part?: Part): Findings => sql`
  select format('the change of wallet %s leads to %s, but the next wallet of user %s is %s', step.id, step.to_wallet,
    step.user_number, step.next) as finding
  from (
    select d.id, d.user_number, d.to_wallet,
      lead(d.from_wallet::text, 1, coalesce(u.deleted_wallet, u.wallet_address)::text)
        over (partition by d.user_number order by d.done_at) as next
    from wallet_changes d join users u on u.number = d.user_number
    where d.done_at is not null and d.user_number in (select c.user_number from wallet_changes c where ${inScope(part)})
  ) step
  where step.to_wallet <> step.next`

const sharedWallets = (part?: Part): Findings => sql`
  select format('the wallet %s of user %s is or was also that of user %s', w.wallet, c.user_number, other.user_number)
    as finding
  from wallet_changes c, lateral (values (c.from_wallet), (c.to_wallet)) w (wallet),
    lateral (
      select number as user_number from users where wallet_address = w.wallet
      union all
      select user_number from wallet_changes d
      where d.cancelled_at is null and (d.from_wallet = w.wallet or d.to_wallet = w.wallet)) other
  where ${inScope(part)} and c.cancelled_at is null and other.user_number <> c.user_number
    -- After a deletion the wallets are free again.
    and not user_is_deleted(c.user_number) and not user_is_deleted(other.user_number)`

const NAMED_MAX = 10
/** Recovering a signer is slow, and a new row is read by many audits. */
const verified = createVerified()

async function listForgeries(tx: Tx, chain: Chain, part?: Part): Promise<string[]> {
  const { chainId } = chain.settings
  const { rows } = await sql<SignedChange>`
    select ${signedColumns} from wallet_changes c join users u on u.number = c.user_number
    where ${inScope(part)} and c.cancelled_at is null`.execute(tx)
  const findings: string[] = []
  for (const row of rows) {
    const key = JSON.stringify([row, chainId])
    if (verified.has(key)) continue
    const wrong = await findUnsigned(chain, row)
    if (wrong) findings.push(`the change of wallet ${row.id} is not signed by ${wrong}`)
    else verified.add(key)
    if (findings.length >= NAMED_MAX) break
  }
  return findings
}

/** A contract wallet was called when the change was asked for. It may have changed its keys since. */
async function findUnsigned(chain: Chain, row: SignedChange): Promise<string | undefined> {
  for (const { wallet, data, signature } of signaturesOf(row, chain.settings.chainId))
    if (!(await isSignedByKey(wallet, data, signature)) && !(await isContract(chain, wallet))) return wallet
  return undefined
}
