/** The tables Kysely knows. Each feature adds its own in its queries file: only an interface can be added to. */
export interface Tables {
  migrations: { name: string; sha256: string; applied_at: Date }
}
