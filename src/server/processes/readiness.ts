import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { ReadinessCheck } from '../platform/health.ts'

/**
 * What must work before this process may be sent requests (R21). A late chain or a halt is not among it: sign-in and
 * history go on, and a load balancer must not take every process away at once.
 */
export function readinessChecks({ db }: Context): ReadinessCheck[] {
  return [
    {
      name: 'database',
      async check() {
        const { rows } = await sql<{ off: string }>`select current_setting('transaction_read_only') as off`.execute(db)
        if (rows[0]?.off !== 'off') throw new Error('the database is read-only')
      },
    },
  ]
}
