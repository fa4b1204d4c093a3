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
  ledger_postings: { kind: PostingKind; entries: number; reference: string; digest: string | null; reply: Json }
  ledger_entries: {
    account_id: AccountId
    version: bigint
    amount: Usdt
    balance_after: Usdt
    posted_at: Date
    kind: PostingKind
    reference: string
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
  halts: { source: HaltSource; reason: string; since: Generated<Date> }
  halt_doubts: { source: HaltSource; block_number: bigint; against: number; agreed: number }
}
