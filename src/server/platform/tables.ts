import type { ColumnType, Generated } from 'kysely'
import type { Id } from '../../protocol/ids.ts'
import type { NewsKind } from '../../protocol/news.ts'
import type { Day } from '../../protocol/time.ts'

/** Table types for Kysely. These are the platform's own; server/tables.ts adds those of every module. */
export interface Tables {
  migrations: { name: string; sha256: string; applied_at: Date }
  function_files: { name: string; sha256: string; defines: string[]; applied_at: Date }
  idempotency_keys: {
    user_number: number
    scope: string
    key: string
    digest: string
    reply: ColumnType<unknown, string, never>
    stored_at: Generated<Date>
  }
  history_days: { history: string; owner: bigint; filter: unknown; day: Day; rows_until: bigint }
  event_publishers: { id: string; seen_at: Generated<Date> }
  jobs: { name: string; ran_at: Date }
  rate_counts: { key: string; calls: number; ends_at: Date }
  news: {
    user_number: number
    id: Id<'news'>
    kind: NewsKind
    key: string
    facts: ColumnType<unknown, string, never>
    created_at: Generated<Date>
    read_at: Date | null
    planned: Generated<boolean>
  }
  // The database sets what is `never` here.
  terms_versions: {
    version: ColumnType<number, never, never>
    takes_effect_at: ColumnType<Date, Date, never>
    announced_at: ColumnType<Date, never, never>
    terms: ColumnType<unknown, string, never>
    act_id: ColumnType<string | null, string, never>
  }
  terms_cancellations: {
    version: ColumnType<number, number, never>
    cancelled_at: ColumnType<Date, never, never>
    act_id: ColumnType<string, string, never>
  }
  terms_periods: { version: number; terms: unknown; starts_at: Date; ends_at: Date }
}
