import { randomBytes, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import type { Address } from '../../../protocol/ids.ts'
import { refuseUsername } from '../../../protocol/users-reserved.ts'
import type { WalletOwners } from '../../chain/deposits/book.ts'
import { SIGN_IN_MINUTES } from '../../chain/sign-in.ts'
import { openUserAccounts } from '../../ledger/post.ts'
import { type Db, newId, type Tx, violatedConstraint } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import { throwIfRefused } from '../../platform/refusals.ts'

/** Letters and digits without look-alikes such as O and 0. */
const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Anyone may ask for any wallet's nonce, so only the caller is limited: a limit per wallet would lock its owner out. */
export async function createNonce(tx: Tx, walletAddress: Address): Promise<string> {
  const nonce = randomBytes(16).toString('hex')
  await tx.insertInto('sign_in_nonces').values({ nonce, wallet_address: walletAddress }).execute()
  return nonce
}

/** Consumes a nonce by deleting its row, so of two concurrent sign-ins with the same nonce only one succeeds. */
export async function consumeNonce(tx: Tx, walletAddress: Address, nonce: string): Promise<void> {
  const consumed = await tx
    .deleteFrom('sign_in_nonces')
    .where('nonce', '=', nonce)
    .where('wallet_address', '=', walletAddress)
    .where('created_at', '>', sql<Date>`now() - ${SIGN_IN_MINUTES} * interval '1 minute'`)
    .executeTakeFirst()
  if (consumed.numDeletedRows === 0n)
    throw new AppError('sign_in_refused', 'This sign-in message was already used or is too old. Sign in again.')
}

/** Every wallet that is or was a user's, for the chain module: a payment belongs to the user whose wallet sent it. */
export const walletOwners: WalletOwners = sql`select user_number, wallet_address from user_wallets`

/** Registrations of a wallet, and requests to change to it, run one at a time. */
export async function lockWallet(tx: Tx, wallet: Address): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`wallet ${wallet}`}, 0))`.execute(tx)
}

export type NewUser = { username: string; walletAddress: Address; sponsorCode: string | undefined }

/** Adds a user below their sponsor and opens their ledger accounts. */
export async function createUser(tx: Tx, { username, walletAddress, sponsorCode }: NewUser) {
  throwIfRefused(refuseUsername(username), 'username')
  await lockWallet(tx, walletAddress)
  const sponsor = sponsorCode ? await getSponsor(tx, sponsorCode) : undefined
  const user = await tx
    .insertInto('users')
    .values({
      id: newId<'user'>(),
      username,
      wallet_address: walletAddress,
      referral_code: newReferralCode(),
      sponsor_number: sponsor?.number ?? null,
    })
    .returning(['id', 'number'])
    .executeTakeFirstOrThrow()
  await openUserAccounts(tx, user.number)
  if (sponsor) await publish(tx, { topic: 'team', user: sponsor.number })
  return user
}

const newReferralCode = (): string =>
  Array.from({ length: 8 }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('')

export async function getSponsor(db: Db, code: string) {
  const sponsor = await db
    .selectFrom('users')
    .select(['number', 'username'])
    .where('referral_code', '=', code)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!sponsor) throw new AppError('unknown_referral_code', 'This referral code does not exist', 'referral_code')
  return sponsor
}

/** The error for a unique constraint violation: the username or the wallet is taken. */
export function takenError(error: unknown): AppError | undefined {
  const constraint = violatedConstraint(error)
  if (constraint === 'users_username_key') return new AppError('username_taken', 'This username is taken', 'username')
  if (constraint === 'users_wallet_address_key')
    return new AppError('wallet_taken', 'This wallet is already registered')
  if (constraint === 'users_have_new_wallets')
    return new AppError('wallet_taken', 'This wallet was, or is about to become, the wallet of another account.')
  return undefined
}
