import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import type { ReadinessCheck } from '../platform/health.ts'

/**
 * What must work before a process can serve (R21). A lagging chain or a halt does not count: sign-in and history still
 * work, and a load balancer must not remove every process at once.
 */
export const readinessChecks = (db: Db, isStopping: () => boolean): ReadinessCheck[] => [
  stoppingCheck(isStopping),
  {
    name: 'database',
    async check() {
      const { rows } = await sql<{ off: string }>`select current_setting('transaction_read_only') as off`.execute(db)
      if (rows[0]?.off !== 'off') throw new Error('the database is read-only')
    },
  },
]

export const stoppingCheck = (isStopping: () => boolean): ReadinessCheck => ({
  name: 'process',
  async check() {
    if (isStopping()) throw new Error('the process is stopping')
  },
})
