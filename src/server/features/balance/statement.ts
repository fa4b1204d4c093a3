import { sql } from 'kysely'
import type { StatementRow, UserAccountName } from '../../../protocol/balance.ts'
import { userAccount } from '../../ledger/accounts.ts'
import { entriesOf, isEntryOf } from '../../ledger/entries.ts'
import type { History } from '../../platform/history.ts'

type Raw = Omit<StatementRow, 'number'> & { number: bigint }

/** The entries of one account. Ordered by number: entries may have the same time, and each balance follows the last. */
export const statementOf = (userNumber: number, account: UserAccountName): History<Raw, StatementRow> => ({
  ...entriesOf(userAccount(userNumber, account)),
  rows: (days) => sql`
    select e.version as number, e.posted_at, e.kind, e.amount, e.balance_after, e.reference,
      case e.kind
        when 'transfer' then (select u.username from transfers t
          join users u on u.number = case when e.amount < 0 then t.to_number else t.from_number end
          where t.id = e.reference)
        when 'withdrawal' then (select w.to_address from withdrawals w where w.id = e.reference)
        when 'withdrawal_return' then (select w.to_address from withdrawals w where w.id = e.reference)
        when 'chain_deposit' then (select p.from_address from chain_payments p where p.id = e.reference)
      end as counterparty,
      case e.kind
        when 'transfer' then (select t.note from transfers t where t.id = e.reference)
        when 'withdrawal_return' then (select w.note from withdrawals w where w.id = e.reference)
      end as note
    from ledger_entries e where ${isEntryOf(userAccount(userNumber, account), days)}`,
  rowOf: ({ number, ...row }) => ({ ...row, number: Number(number) }),
})
