import { addDays, type Day } from '../../../protocol/time.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { getBalance } from '../../ledger/balances.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { termsAt } from '../../platform/terms.ts'
import { countCompletions } from '../wellness/queries.ts'

/** Challenges completed within the window, including today. */
export async function countChallenges(db: Db | Tx, userNumber: number, today: Day): Promise<number> {
  const { healthWindowDays } = await termsAt(db)
  return countCompletions(db, userNumber, addDays(today, 1 - healthWindowDays))
}

/** The health balance, and the conditions for its release. */
export async function readHealth(db: Db, userNumber: number, today: Day) {
  const terms = await termsAt(db)
  return {
    balance: await getBalance(db, userAccount(userNumber, 'health')),
    minimum: terms.healthReleaseMin,
    challenges_done: await countChallenges(db, userNumber, today),
    challenges_needed: terms.healthChallengesMin,
    window_days: terms.healthWindowDays,
  }
}
