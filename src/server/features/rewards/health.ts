import { type Usdt, ZERO } from '../../../protocol/money.ts'
import { refuseHealthRelease } from '../../../protocol/rewards.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { lockAccounts, post } from '../../ledger/post.ts'
import { newId, type Tx } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import { throwIfRefused } from '../../platform/refusals.ts'
import { termsAt } from '../../platform/terms.ts'

/** `challenges` is how many the user completed in the window. */
export type HealthRelease = { userNumber: number; amount: Usdt; challenges: number }

/** Moves health money to the wallet of a user who completed enough challenges. */
export async function releaseHealth(tx: Tx, { userNumber, amount, challenges }: HealthRelease): Promise<void> {
  const from = userAccount(userNumber, 'health')
  const balances = await lockAccounts(tx, [from, userAccount(userNumber, 'wallet')])
  const terms = await termsAt(tx)
  const status = {
    balance: balances.get(from) ?? ZERO,
    minimum: terms.healthReleaseMin,
    challenges_done: challenges,
    challenges_needed: terms.healthChallengesMin,
    window_days: terms.healthWindowDays,
  }
  throwIfRefused(refuseHealthRelease(amount, status), 'withdraw_amount')
  const movements = [{ from, to: userAccount(userNumber, 'wallet'), amount }]
  await post(tx, { kind: 'health_release', reference: newId(), movements })
  await publish(tx, { topic: 'balance', user: userNumber })
}
