import { sql } from 'kysely'
import type { Maturity } from '../../../protocol/referral-maturity.ts'
import type { Db } from '../../platform/db.ts'

/** The part of a user's referral balance that may not leave yet. Lock the account first if you act on it. */
export async function readMaturity(db: Db, userNumber: number): Promise<Maturity> {
  const { rows } = await sql<Maturity>`
    select immature, next_at as "nextAt" from referral_maturity(${userNumber})`.execute(db)
  if (!rows[0]) throw new Error('referral_maturity returned nothing')
  return rows[0]
}
