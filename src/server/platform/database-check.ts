import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { createPool } from './db.ts'
import { findSchemaMistakes } from './migrate.ts'
import { connectionsOf } from './pool-sizes.ts'
import type { ProcessName } from './settings.ts'

/** Mistakes are wrong answers. What could not be asked is `unknown`: a part may start later than this process (R25). */
export type Checked = { mistakes: string[]; unknown: string[] }

const ANSWER_MS_MAX = 5_000
/** PostgreSQL's errors for a wrong login (class 28) and for a database that does not exist. */
const REFUSED = /^(28\w{3}|3D000)$/

/** Whether a process can work with this database: login, schema and number of connections. */
export async function checkDatabase(
  name: ProcessName,
  setting: string,
  url: string,
  connections: number,
): Promise<Checked> {
  const pool = createPool(url, 1, { statementMs: ANSWER_MS_MAX })
  const late = sleep(ANSWER_MS_MAX, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer')))
  const asked = Promise.all([findSchemaMistakes(pool), name === 'migrate' ? [] : findTooMany(pool, name, connections)])
  try {
    const [schema, tooMany] = await Promise.race([asked, late])
    // Migrating is how missing files get there.
    const own = name === 'migrate' ? schema.refused : [...schema.refused, ...schema.missing]
    return { mistakes: [...own.map((sentence) => `${setting}: ${sentence}`), ...tooMany], unknown: [] }
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    if (REFUSED.test(code))
      return { mistakes: [`${setting}: the database refuses this login: ${message}`], unknown: [] }
    return { mistakes: [], unknown: [`${setting}: the database did not answer: ${message || code}`] }
  } finally {
    asked.catch(() => {})
    pool.end().catch(() => {})
  }
}

async function findTooMany(pool: pg.Pool, name: ProcessName, connections: number): Promise<string[]> {
  const { rows } = await pool.query<{ allowed: number }>(`
    select least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)) as allowed`)
  const [needed, allowed] = [connectionsOf(name, connections), rows[0]?.allowed ?? 0]
  if (needed <= allowed) return []
  return [
    `DATABASE_CONNECTIONS: with ${connections}, ${name} opens up to ${needed} connections, but the database allows ` +
      `${allowed}. Lower it, or raise max_connections.`,
  ]
}
