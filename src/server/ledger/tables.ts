import type { Usdt } from '../../protocol/money.ts'
import type { AccountId } from './accounts.ts'
import type { Json } from './posting.ts'
import type { PostingKind } from './rules.ts'

// Read-only for Kysely: the ledger is written through its functions alone.
declare module '../platform/tables.ts' {
  interface Tables {
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
  }
}
