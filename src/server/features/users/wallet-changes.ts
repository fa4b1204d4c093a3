import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import type { Address } from '../../../protocol/ids.ts'
import type { WalletChange } from '../../../protocol/wallet-changes.ts'
import { requireTimely } from '../../chain/step-up.ts'
import { type Db, newId, type Tx, violatedConstraint } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import { addNews } from '../../platform/news.ts'
import { lockWallet } from './users.ts'

export type NewChange = {
  user: { number: number; walletAddress: Address }
  to: Address
  nonce: string
  deadline: Date
  signature: string
  newSignature: string
}

/** Stores a change that both wallets signed. The database decides when it takes effect, and whether the wallet is free. */
export async function askForChange(tx: Tx, change: NewChange, now: Date): Promise<WalletChange> {
  const { user, to, nonce, deadline } = change
  requireTimely(deadline, now)
  await lockWallet(tx, to)
  const id = newId()
  const waiting = await tx
    .insertInto('wallet_changes')
    .values({
      id,
      user_number: user.number,
      from_wallet: user.walletAddress,
      to_wallet: to,
      nonce,
      deadline,
      from_signature: change.signature,
      to_signature: change.newSignature,
    })
    .returning(['to_wallet', 'asked_at', 'takes_effect_at'])
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw refusalOf(error) ?? error
    })
  const facts = { wallet: to, takes_effect_at: waiting.takes_effect_at }
  await addNews(tx, { kind: 'wallet_change_asked', user: user.number, key: id, facts })
  await publish(tx, { topic: 'wallet-change', user: user.number })
  return waiting
}

/** Why the database refused a change, by the constraint that it names. */
function refusalOf(error: unknown): AppError | undefined {
  switch (violatedConstraint(error)) {
    case 'wallet_changes_open':
      return new AppError('already_recorded', 'A change of your wallet is waiting already. Stop it first.')
    case 'wallet_changes_user_number_nonce_key':
      return new AppError('signature_refused', 'These signatures were used before. Sign again.', 'signature')
    case 'wallet_changes_current':
      return new AppError('signature_refused', 'Your account is frozen, or its wallet has just changed. Sign in again.')
    case 'wallet_changes_wanted':
    case 'wallet_changes_taken':
      return new AppError('wallet_taken', 'This wallet is, was, or is about to become the wallet of an account.')
    case 'wallet_changes_operator':
      return new AppError('wallet_taken', 'This is an address of ours. Choose a wallet that only you control.')
    default:
      return undefined
  }
}

export async function findWaiting(db: Db, userNumber: number): Promise<WalletChange | undefined> {
  return db
    .selectFrom('wallet_changes')
    .select(['to_wallet', 'asked_at', 'takes_effect_at'])
    .where('user_number', '=', userNumber)
    .where('cancelled_at', 'is', null)
    .where('done_at', 'is', null)
    .executeTakeFirst()
}

export async function listFormer(db: Db, { number, walletAddress }: NewChange['user']): Promise<Address[]> {
  const rows = await db
    .selectFrom('user_wallets')
    .select('wallet_address')
    .where('user_number', '=', number)
    .where('wallet_address', '<>', walletAddress)
    .orderBy('wallet_address')
    .execute()
  return rows.map(({ wallet_address }) => wallet_address)
}

/** Of a stop and the change itself, at the same time, the one that locks the row first wins. */
export async function stopChange(tx: Tx, userNumber: number): Promise<void> {
  const stopped = await tx
    .updateTable('wallet_changes')
    .set({ cancelled_at: sql<Date>`clock_timestamp()` })
    .where('user_number', '=', userNumber)
    .where('cancelled_at', 'is', null)
    .where('done_at', 'is', null)
    .executeTakeFirst()
  if (stopped.numUpdatedRows === 0n) throw new AppError('not_found', 'No change of your wallet is waiting')
  await publish(tx, { topic: 'wallet-change', user: userNumber })
}

/** A sign-in with a former wallet is refused with the reason, and not as an unregistered wallet. */
export async function refuseFormerWallet(db: Db, wallet: Address): Promise<void> {
  const former = await db
    .selectFrom('user_wallets')
    .select('user_number')
    .where('wallet_address', '=', wallet)
    .executeTakeFirst()
  if (former)
    throw new AppError(
      'sign_in_refused',
      'The wallet of this account was changed. Sign in with the new wallet. If you did not change it, write to support.',
    )
}
