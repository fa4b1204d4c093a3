import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { createPool } from './db.ts'
import { STATEMENT_MS_MAX } from './login-limits.ts'
import { findSchemaMistakes } from './migrate.ts'
import { connectionsOf } from './pool-sizes.ts'
import { askServer, needsLimits, needsListenUrl, needsServer } from './pooler.ts'
import type { ProcessName } from './settings.ts'

/** Mistakes are wrong answers. What could not be asked is `unknown`: a part may start later than this process (R25). */
export type Checked = { mistakes: string[]; unknown: string[] }

const ANSWER_MS_MAX = 5_000
/** PostgreSQL's errors for a wrong login (class 28) and for a database that does not exist. */
const REFUSED = /^(28\w{3}|3D000)$/

/** `isPooled`: DATABASE_LISTEN_URL is set, so this URL may lead to a connection pooler. */
type Options = { connections: number; isPooled: boolean }

/** Whether a process can work with this database: login, schema, a session or a pooler, and number of connections. */
export const checkDatabase = (name: ProcessName, setting: string, url: string, options: Options): Promise<Checked> =>
  ask(setting, url, async (pool) => {
    const schema = await findSchemaMistakes(pool)
    // Migrating is how missing files get there.
    const own = name === 'migrate' ? schema.refused : [...schema.refused, ...schema.missing]
    return [
      ...own.map((sentence) => `${setting}: ${sentence}`),
      ...(await findPoolerMistakes(pool, name, setting, options.isPooled)),
      ...(name === 'migrate' || options.isPooled ? [] : await findTooMany(pool, name, options.connections)),
    ]
  })

/** Whether DATABASE_LISTEN_URL leads to a session of the same database. */
export const checkListenUrl = (url: string, databaseUrl: string): Promise<Checked> =>
  ask('DATABASE_LISTEN_URL', url, async (pool) => {
    if ((await withClient(pool, askServer)).isPooler) return [needsServer('DATABASE_LISTEN_URL')]
    const other = openPool(databaseUrl)
    try {
      const [here, there] = [await identityOf(pool), await identityOf(other)]
      return here === there ? [] : ['DATABASE_LISTEN_URL: this is another database than that of DATABASE_URL.']
    } finally {
      other.end().catch(() => {})
    }
  })

/** Without limits, because a pooler refuses connections that ask for them. We do not wait longer than `ask` does. */
const openPool = (url: string) => createPool(url, 1, { statementMs: ANSWER_MS_MAX, isPooled: true })

/** Runs a check, and returns what it finds or why it found nothing. */
async function ask(setting: string, url: string, find: (pool: pg.Pool) => Promise<string[]>): Promise<Checked> {
  const pool = openPool(url)
  const late = sleep(ANSWER_MS_MAX, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer')))
  const asked = find(pool)
  try {
    return { mistakes: await Promise.race([asked, late]), unknown: [] }
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

const loginOf = { api: 'api', worker: 'worker', seeds: 'seeds', ops: 'operator' } as const

async function findPoolerMistakes(
  pool: pg.Pool,
  name: ProcessName,
  setting: string,
  isPooled: boolean,
): Promise<string[]> {
  const server = await withClient(pool, askServer)
  if (!isPooled && server.isPooler) return [name === 'migrate' ? needsServer(setting) : needsListenUrl(setting)]
  const login = loginOf[name as keyof typeof loginOf]
  return isPooled && !server.has_limits ? [needsLimits(setting, server, STATEMENT_MS_MAX[login])] : []
}

async function withClient<Result>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}

/** The same on a primary and its standbys, and on no other database. */
async function identityOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ identity: string }>(
    `select system_identifier || ' ' || oid as identity from pg_control_system(), pg_database
     where datname = current_database()`,
  )
  return rows[0]?.identity ?? ''
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
