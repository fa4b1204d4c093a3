import type { Generated } from 'kysely'
import type { Usdt } from '../../protocol/money.ts'
import type { AccountId, AccountKind } from './accounts.ts'
import type { HaltSource } from './halt.ts'
import type { Json } from './posting.ts'
import type { PostingKind } from './rules.ts'

// Read-only in Kysely: only the SQL functions write to the ledger.
export type LedgerTables = {
  ledger_account_kinds: { code: number; name: AccountKind }
  ledger_accounts: { id: AccountId; balance: Usdt; version: bigint }
  ledger_postings: {
    kind: PostingKind
    entries: number
    reference: string
    digest: string | null
    reply: Json
    tx: bigint
  }
  ledger_entries: {
    account_id: AccountId
    version: bigint
    amount: Usdt
    balance_after: Usdt
    posted_at: Date
    kind: PostingKind
    reference: string
    tx: bigint
  }
  audit_log: {
    id: bigint
    at: Date
    who: string
    what: string
    why: string
    previous_hash: Buffer
    hash: Buffer
  }
  audit_runs: { at: Generated<Date>; held: number[]; broken: number[]; unchecked: number[] }
  ledger_seals: {
    id: bigint
    tx_from: bigint
    tx_to: bigint
    entries: bigint
    digest: Buffer
    hash: Buffer
    sealed_at: Date
  }
  ledger_heads: { account_id: AccountId; version: bigint; balance: Usdt }
  ledger_checkpoint: {
    is_only: boolean
    audits: bigint
    system_identifier: bigint
    tx_to: bigint
    first_seal: bigint
    turn: bigint
    moved_at: Date
  }
  halts: { source: HaltSource; reason: string; since: Generated<Date> }
  halt_doubts: { source: HaltSource; block_number: bigint; against: number; agreed: number }
}
