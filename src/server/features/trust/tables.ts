import type { Generated } from 'kysely'
import type { Usdt } from '../../../protocol/money.ts'
import type { Day } from '../../../protocol/time.ts'

export type TrustTables = {
  liability_snapshots: {
    id: string
    taken_on: Day
    taken_at: Date
    root: Buffer
    total: Usdt
    ledger_total: Usdt
    users: number
  }
  liability_leaves: { snapshot_id: string; position: number; user_number: number; nonce: Buffer; balances: Usdt[] }
  liability_nodes: { snapshot_id: string; level: number; position: number; hash: Buffer; sum: Usdt }
  trust_history: { measured_at: Generated<Date>; reserves: Usdt; liabilities: Usdt }
}
