import type { ColumnType, Generated } from 'kysely'
import type { Id } from '../../../protocol/ids.ts'
import type { Usdt } from '../../../protocol/money.ts'
import type { OrderId } from '../../../protocol/plans.ts'

export type ReferralsTables = {
  referral_flags: {
    id: string
    kind: 'device' | 'funding' | 'burst'
    key: string
    found_at: Generated<Date>
    dismissed_by: string | null
    dismissed_at: Date | null
  }
  referral_holds: {
    id: Id<'hold'>
    order_id: OrderId
    level: number
    user_number: number
    amount: Usdt
    kinds: string[]
    flags: string[]
    state: Generated<'held' | 'released' | 'forfeited' | 'spent'>
    held_at: Generated<Date>
    decided_by: string | null
    decided_at: ColumnType<Date | null, Date | undefined, Date>
    note: string | null
    appeal_id: Id<'request'> | null
  }
}
