import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Address, Id } from '../../../protocol/ids.ts'
import type { Usdt } from '../../../protocol/money.ts'
import type { OrderId } from '../../../protocol/plans.ts'

export type ReferralsTables = {
  team_deltas: { id: GeneratedAlways<bigint>; path: number[]; members: number; active: number; volume: Usdt }
  team_blocks: { list: 'team' | 'direct'; first: number[]; members: number }
  team_totals: { user_number: number; direct: number; members: number; active: number; volume: Usdt }
  team_levels: { user_number: number; depth: number; members: number; active: number; volume: Usdt }
  funding_sources: { user_number: number; from_address: Address; found_at: Generated<Date> }
  funding_checks: { user_number: number; block_number: bigint }
  referral_flags: {
    id: string
    kind: 'device' | 'funding' | 'burst'
    key: string
    found_at: Generated<Date>
    dismissed_by: string | null
    dismissed_at: Date | null
  }
  referral_flag_members: { flag_id: string; user_number: number }
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
