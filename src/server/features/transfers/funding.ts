import { sql } from 'kysely'
import type { Tx } from '../../platform/db.ts'
import { recordFundings } from '../referrals/funding.ts'

/** Counts a transfer as funding, like a payment from the sender's wallet. */
export const recordTransfersAsFunding = (tx: Tx): Promise<void> =>
  recordFundings(
    tx,
    sql`
      select t.to_number as user_number, u.wallet_address as from_address
      from transfers t join users u on u.number = t.from_number
      where t.sent_at > now() - interval '1 day'`,
  )
