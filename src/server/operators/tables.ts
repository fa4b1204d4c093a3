import type { ColumnType, Generated } from 'kysely'
import type { Address } from '../../protocol/ids.ts'
import type { Usdt } from '../../protocol/money.ts'
import type { OperatorAct } from '../../protocol/operators.ts'

// Only database functions write what is `never` here.
export type OperatorsTables = {
  operators: {
    address: ColumnType<Address, never, never>
    name: ColumnType<string, never, never>
    enrolled_at: ColumnType<Date, never, never>
    revoked_at: ColumnType<Date | null, never, never>
  }
  operator_act_kinds: { act: string; signatures: number; alone_max: Usdt | null; alone_adds_up: boolean }
  operator_acts: {
    id: string
    act: string
    payload: string
    digest: Buffer
    details: ColumnType<OperatorAct, never, never>
    amount: ColumnType<Usdt | null, never, never>
    proposed_at: ColumnType<Date, never, never>
    performed_at: ColumnType<Date | null, never, never>
    performed_in: ColumnType<string | null, never, never>
  }
  operator_signatures: {
    act_id: string
    operator: Address
    digest: Buffer
    signature: string
    signed_at: Generated<Date>
  }
  operator_acts_since: { at: Generated<Date> }
}
