import type { ColumnType } from 'kysely'
import type { Usdt } from '../../../protocol/money.ts'

export type TransfersTables = {
  transfers: {
    id: string
    from_number: number
    to_number: number
    source: 'wallet' | 'reward' | 'referral'
    amount: Usdt
    note: string | null
    sent_at: string
    nonce: string | null
    deadline: string | null
    signature: string | null
    /** Sent before signatures existed. The database accepts no new row with it. */
    predates_signatures: ColumnType<boolean, never, never>
  }
  /** What a user sent on a UTC day without a signature. */
  transfer_allowances: { from_number: number; day: string; amount: ColumnType<Usdt, never, never> }
}
