/** The tables Kysely knows. The platform's own are here; server/tables.ts adds those of every module. */
export interface Tables {
  migrations: { name: string; sha256: string; applied_at: Date }
}
