import { AppError } from '../../../protocol/errors.ts'
import { type Usdt, ZERO } from '../../../protocol/money.ts'
import { refuseHealthRelease } from '../../../protocol/rewards.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { lockAccounts, post } from '../../ledger/post.ts'
import type { Tx } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'

/** `challenges` is how many the user completed in the window; `reference` names the request, so that a repeat is one. */
export type HealthRelease = { userNumber: number; amount: Usdt; challenges: number; reference: string }

/** Moves health money to the wallet of somebody who kept moving. */
export async function releaseHealth(
  tx: Tx,
  { userNumber, amount, challenges, reference }: HealthRelease,
): Promise<void> {
  const from = userAccount(userNumber, 'health')
  const balances = await lockAccounts(tx, [from, userAccount(userNumber, 'wallet')])
  const isRepeat = await wasReleased(tx, reference)
  const refusal = refuseHealthRelease(amount, balances.get(from) ?? ZERO, challenges)
  if (refusal && !isRepeat) throw new AppError(refusal.code, refusal.message, 'withdraw_amount')
  const movements = [{ from, to: userAccount(userNumber, 'wallet'), amount }]
  await post(tx, { kind: 'health_release', reference, movements })
  await publish(tx, { topic: 'balance', user: userNumber })
}

// The first try may have emptied the balance: its repeat gets the same answer, not a refusal.
async function wasReleased(tx: Tx, reference: string): Promise<boolean> {
  const posting = await tx
    .selectFrom('ledger_postings')
    .select('reference')
    .where('kind', '=', 'health_release')
    .where('reference', '=', reference)
    .executeTakeFirst()
  return posting !== undefined
}
