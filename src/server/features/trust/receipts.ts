import type { UserAccountName } from '../../../protocol/balance.ts'
import { AppError } from '../../../protocol/errors.ts'
import { userId } from '../../../protocol/ids.ts'
import { formatUsdt } from '../../../protocol/money.ts'
import { signAttestation } from '../../chain/attestations.ts'
import type { Context, User } from '../../context.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { findEntry } from '../../ledger/entries.ts'
import { transaction } from '../../platform/db.ts'

/** A signed receipt for one movement of the user's account. Entries never change, so it can be issued at any time. */
export async function getReceipt({ db, chain }: Context, user: User, account: UserAccountName, number: number) {
  // In a transaction, so that we sign only what is on the standby, too (R26).
  const id = userAccount(user.number, account)
  const entry = await transaction(db, (tx) => findEntry(tx, id, BigInt(number)))
  if (!entry) throw new AppError('not_found', 'There is no such movement')
  const receipt = {
    user: userId.encode(user.id),
    wallet: user.walletAddress,
    account,
    number: String(number),
    movement: entry.kind,
    reference: entry.reference,
    amount: formatUsdt(entry.amount),
    balance_after: formatUsdt(entry.balanceAfter),
    posted_at: entry.postedAt.toISOString(),
  }
  const signed = await signAttestation(chain, 'Receipt', receipt)
  if (!signed) throw new AppError('unavailable', 'Receipts are not available: the operator has not set a signing key')
  return { receipt, chain_id: chain.settings.chainId, ...signed }
}
