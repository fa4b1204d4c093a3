import { AppError } from '../../../protocol/errors.ts'
import type { Refusal } from '../../../protocol/rules.ts'
import { toHex } from '../../../verifier/bytes.ts'
import type { User } from '../../context.ts'
import type { Db } from '../../platform/db.ts'
import { getProof } from './proofs.ts'

/**
 * After a change of wallet, refuses withdrawals until the last published root pays the new wallet. An exit pays the wallet
 * in the leaf, less what that wallet was paid since the root. With an older root, a withdrawal to the new wallet would be
 * paid again, to the former one. The leaf itself is read: times of roots and changes come from different clocks.
 */
export async function refuseUnpublishedWallet(db: Db, user: User): Promise<Refusal | undefined> {
  if (!(await hasChanged(db, user.number))) return undefined
  if ((await findPublishedWallet(db, user.number)) === user.walletAddress) return undefined
  return {
    code: 'too_early',
    message:
      'Your wallet has changed. You can withdraw again within about an hour, when the next published root includes your new wallet.',
  }
}

async function hasChanged(db: Db, userNumber: number): Promise<boolean> {
  const done = db.selectFrom('wallet_changes').select('id').where('user_number', '=', userNumber)
  return (await done.where('done_at', 'is not', null).limit(1).executeTakeFirst()) !== undefined
}

async function findPublishedWallet(db: Db, userNumber: number): Promise<string | undefined> {
  try {
    const { leaf } = await getProof(db, userNumber)
    return `0x${toHex(leaf.wallet)}`
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  }
}
