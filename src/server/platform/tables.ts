import type { ColumnType, Generated } from 'kysely'

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
  jobs: { name: string; ran_at: Date }
}
