import type { ColumnType, Generated } from 'kysely'
import type { Usdt } from '../../protocol/money.ts'

export type ActName = 'fund' | 'collect-fees' | 'claim-deposit' | 'adopt'

export type OperatorsTables = {
  operator_requests: {
    id: string
    act: ActName
    amount: Usdt
    details: ColumnType<Record<string, string>, string, never>
    asked_by: string
    why: string
    asked_at: Generated<Date>
    approved_by: string | null
    approved_at: Date | null
  }
}
