import pg from 'pg'
import { type LoginName, loginNames } from '../../src/server/embedded/postgres.ts'
import { type AuditReport, runAudit } from '../../src/server/ledger/audit.ts'
import { invariants } from '../../src/server/operators/invariants.ts'
import { createDb, createPool } from '../../src/server/platform/db.ts'
import type { TestDatabase } from '../../src/server/testing/database.ts'

/**
 * An attacker who has taken over one of our processes: plain SQL with its login, without our code. Each statement runs
 * in its own transaction unless it begins one.
 */
export async function createAttacker(database: TestDatabase) {
  const logins = new Map<LoginName, pg.Client>()
  for (const name of loginNames) {
    const client = new pg.Client({ connectionString: database.urls[name] })
    await client.connect()
    logins.set(name, client)
  }
  const db = createDb(createPool(database.ownerUrl, 2))

  /** Runs SQL with the login of a process. After an error, a transaction that the SQL began is rolled back. */
  async function as(name: LoginName, text: string): Promise<Record<string, unknown>[]> {
    const client = logins.get(name) as pg.Client
    try {
      const result = (await client.query(text)) as pg.QueryResult | pg.QueryResult[]
      return (Array.isArray(result) ? result : [result]).flatMap(({ rows }) => rows)
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  }

  return {
    as,
    db,
    audit: (): Promise<AuditReport> => runAudit(db, invariants, { isFull: true }),
    async close(): Promise<void> {
      for (const client of logins.values()) await client.end()
      await db.destroy()
    },
  }
}

export type Attacker = Awaited<ReturnType<typeof createAttacker>>

/** What PostgreSQL and our triggers answer when a role lacks a right. */
export const DENIED = /permission denied|must be owner|may not|no operator signed/
