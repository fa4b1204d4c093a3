import { sql } from 'kysely'
import { sourceByAccount } from '../../../protocol/balance.ts'
import type { Id } from '../../../protocol/ids.ts'
import type { Transfer } from '../../../protocol/transfers.ts'
import type { History } from '../../platform/history.ts'
import { ADDED_ONLY } from '../../platform/history-days.ts'

type Raw = Omit<Transfer, 'source'> & { id: Id<'transfer'>; source: keyof typeof sourceByAccount }

/** Transfers sent and received, each with the name of the other user. */
export const transferHistory = (userNumber: number): History<Raw, Transfer> => ({
  name: 'transfers',
  owner: userNumber,
  filters: ['direction'],
  changesFrom: ADDED_ONLY,
  at: 'sent_at',
  order: ['sent_at', 'id'],
  // Two look-ups. The oldest row of both kinds together would be found by reading them all.
  beginsOn: sql`(least(
    (select min(sent_at) from transfers where from_number = ${userNumber}),
    (select min(sent_at) from transfers where to_number = ${userNumber})) at time zone 'utc')::date`,
  rows: () => sql`
    select id, direction, (select username from users where number = other) as username, amount, source, note, sent_at
    from (
      select *, 'out' as direction, to_number as other from transfers where from_number = ${userNumber}
      union all
      select *, 'in', from_number from transfers where to_number = ${userNumber}
    ) as own`,
  rowOf: (raw) => ({ ...raw, source: sourceByAccount[raw.source] }),
})
