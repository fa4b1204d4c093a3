import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Address } from '../../../protocol/ids.ts'
import type { Usdt } from '../../../protocol/money.ts'
import type { WithdrawalState } from '../../../protocol/withdrawals.ts'
import type { Hash } from '../../chain/tables.ts'
import type { Tables } from '../../platform/tables.ts'

export type WithdrawalRow = Selectable<Tables['withdrawals']>

export type WithdrawalsTables = {
  withdrawals: {
    id: string
    user_number: number
    source: 'wallet' | 'reward' | 'referral'
    amount: Usdt
    fee: Usdt
    net: ColumnType<Usdt, never, never>
    to_address: Address
    nonce: string
    deadline: Date
    signature: string
    fee_is_signed: ColumnType<boolean, never, never>
    state: WithdrawalState
    note: string | null
    tx_hash: Hash | null
    confirmations: Generated<number>
    confirmations_needed: Generated<number>
    requested_at: Generated<Date>
    changed_at: Generated<Date>
  }
  /** The allowed transitions of the state graph. */
  withdrawal_steps: { from_state: WithdrawalState | null; to_state: WithdrawalState }
  withdrawal_changes: {
    withdrawal_id: string
    ordinal: number
    from_state: WithdrawalState | null
    to_state: WithdrawalState
    note: string | null
    changed_at: Generated<Date>
  }
}
