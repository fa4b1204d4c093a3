import type { Generated } from 'kysely'
import type { Address } from '../../../protocol/ids.ts'
import type { Usdt } from '../../../protocol/money.ts'
import type { Day } from '../../../protocol/time.ts'

/** A tree of all balances whose root the vault has accepted. */
export type Snapshot = {
  id: string
  taken_on: Day
  taken_at: Date
  root: Buffer
  total: Usdt
  users: number
  chain_id: bigint
  vault: Address
  epoch: bigint
  paid_at: Usdt
  books_at: Date
  file_hash: Buffer
}

export type TrustTables = {
  /** What was published with the root is null in snapshots from before the vault. */
  liability_snapshots: {
    id: string
    taken_on: Day
    taken_at: Date
    root: Buffer
    total: Usdt
    ledger_total: Usdt
    users: number
    chain_id: bigint | null
    vault: Address | null
    epoch: bigint | null
    paid_at: Usdt | null
    books_at: Date | null
    file_hash: Buffer | null
  }
  /** A view: snapshots whose root is final on chain. */
  liability_published: Snapshot
  liability_parts: {
    snapshot_id: string
    part: number
    user_numbers: number[]
    user_last: number
    node: Buffer
    records: Buffer
  }
  leaf_keys: { user_number: number; key: Buffer }
  trust_history: { measured_at: Generated<Date>; reserves: Usdt; liabilities: Usdt }
}
