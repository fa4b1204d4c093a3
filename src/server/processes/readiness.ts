import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { ReadinessCheck } from '../platform/health.ts'
import type { Http } from '../platform/http.ts'

/**
 * What must work before this process can receive requests (R21). A lagging chain or a halt does not count: sign-in and
 * history still work, and a load balancer must not remove every process at once.
 */
export function readinessChecks({ db }: Context, { draining }: Http): ReadinessCheck[] {
  return [
    {
      name: 'process',
      async check() {
        if (draining.isOn) throw new Error('the process is stopping')
      },
    },
    {
      name: 'database',
      async check() {
        const { rows } = await sql<{ off: string }>`select current_setting('transaction_read_only') as off`.execute(db)
        if (rows[0]?.off !== 'off') throw new Error('the database is read-only')
      },
    },
  ]
}
