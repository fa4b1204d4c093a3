import { sql } from 'kysely'
import { type Obstacle, obstacleWords } from '../../../protocol/deletion.ts'
import { AppError } from '../../../protocol/errors.ts'
import { add, type Usdt } from '../../../protocol/money.ts'
import { getUserBalances } from '../../ledger/balances.ts'
import type { Db, Tx } from '../../platform/db.ts'

export type Found = { obstacle: Obstacle; amount: Usdt | null; until: Date | null }

/** What must be settled first. The database decides it again, under locks, when the account is deleted. */
export async function listObstacles(db: Db, userNumber: number): Promise<Found[]> {
  const { rows } = await sql<Found>`select obstacle, amount, until from account_obstacles(${userNumber})`.execute(db)
  return rows
}

/** Everything that is left in the user's accounts. */
export async function readGivenUp(db: Db, userNumber: number): Promise<Usdt> {
  return add(...Object.values(await getUserBalances(db, userNumber)))
}

/** Deletes the account, or says what stops it. The caller has verified the wallet's signature. */
export async function deleteAccount(tx: Tx, userNumber: number, givenUp: Usdt): Promise<void> {
  const { rows } = await sql<{ obstacles: (Obstacle | 'deleted' | 'balance_changed')[] }>`
    select account_delete(${userNumber}, ${givenUp}) as obstacles`.execute(tx)
  const [first] = rows[0]?.obstacles ?? []
  if (first === undefined) return
  // The session ended with the account: this call was made while another one deleted it.
  if (first === 'deleted') throw new AppError('unauthenticated', 'This account is deleted')
  if (first === 'balance_changed')
    throw new AppError(
      'amount_mismatch',
      'Your balances have changed since you signed. Nothing was deleted. Check what is left and sign again.',
      'given_up',
    )
  throw new AppError('deletion_refused', obstacleWords[first])
}
