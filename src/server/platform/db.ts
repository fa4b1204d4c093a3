import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, type Transaction } from 'kysely'
import pg from 'pg'
import type { Id } from '../../protocol/ids.ts'
import { clientFor, hostUrls } from './database-hosts.ts'
import { limitsOf, STATEMENT_MS_MAX } from './login-limits.ts'
import { watchPool } from './metrics.ts'
import { PooledClient } from './pooler.ts'
import { endSilentConnections } from './silence.ts'
import { WaitingClient, WaitingDialect } from './standby.ts'
import type { Tables } from './tables.ts'
import { queryTracer } from './tracing.ts'

export type Db = Kysely<Tables>
/** A database transaction. A function that writes takes one as its first argument; only handlers and jobs open one. */
export type Tx = Transaction<Tables>

const INT8 = 20
const DATE = 1082
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return BigInt
    if (oid === DATE) return (text: string) => text
    return pg.types.getTypeParser(oid, format)
  }) as typeof pg.types.getTypeParser,
}

/** How long a connection may take to open, and a query may wait for a free one. */
const CONNECT_MS_MAX = 5_000
/** The server cancels a statement at its limit. If it has not done so after this time, it is gone. */
const ANSWER_MS = 1_000

/** How every connection is opened. A peer whose machine has disappeared is noticed after 20 s without data. */
export const connectionSettings = (url: string) => ({
  // With several hosts the connection replaces this one.
  connectionString: hostUrls(url)[0] ?? url,
  connectionTimeoutMillis: CONNECT_MS_MAX,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
})

export type PoolOptions = {
  /** How long a statement may run. By default as long as those of jobs, which may read all rows of a table. */
  statementMs?: number | undefined
  /** The URL leads to a connection pooler (pooler.ts). */
  isPooled?: boolean | undefined
  /** The name in the metrics. Without one, the pool is not in them. */
  name?: string | undefined
}

export function createPool(url: string, connectionsMax: number, options: PoolOptions = {}): pg.Pool {
  const { statementMs = STATEMENT_MS_MAX.worker, isPooled = false, name } = options
  const pool = new pg.Pool({
    ...connectionSettings(url),
    Client: clientFor(url, isPooled ? PooledClient : WaitingClient),
    max: connectionsMax,
    types,
    idleTimeoutMillis: 30_000,
    // A pooler refuses connections that ask for limits, so those of the login apply.
    ...(!isPooled && limitsOf(statementMs)),
  })
  endSilentConnections(pool, statementMs + ANSWER_MS)
  if (name) watchPool(name, pool)
  return surviveDisconnects(pool)
}

/**
 * Keeps the process alive when a connection of the pool is lost. The pool replaces an idle one at the next query. One
 * that is in use or being closed fails only its own query.
 */
export function surviveDisconnects(pool: pg.Pool): pg.Pool {
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export function createDb(pool: pg.Pool): Db {
  const log = queryTracer()
  return new Kysely<Tables>({ dialect: new WaitingDialect(pool), ...(log && { log }) })
}

const TRIES_MAX = 6
/** Serialization failure, deadlock, lock timeout: a retry may succeed (R3). */
const RETRYABLE = new Set(['40001', '40P01', '55P03'])
/** A posting with the same key was committed since this one looked for it. A retry finds it. */
const LOST_RACE = 'ledger_postings_pkey'
/** Money for a user who was deleted since this transaction read who gets it. A retry reads that again. */
export const CLOSED_ACCOUNT = 'closed_accounts_are_empty'
const codeOf = (error: unknown) => (error as { code?: string }).code ?? ''
const isRetryable = (error: unknown) =>
  RETRYABLE.has(codeOf(error)) ||
  violatedConstraint(error) === LOST_RACE ||
  (error as { constraint?: string }).constraint === CLOSED_ACCOUNT

/** Runs `work` in one transaction and retries it after the errors above. Any other error fails the call. */
export const transaction = <Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  retrying(() => attempt(db, work))

/** Runs after the end of a transaction. `isCommitted` is false if its commit failed: it may still have taken effect. */
type Ending = (isCommitted: boolean) => void
const running = new WeakMap<Tx, { db: Db; endings: Ending[] }>()

async function attempt<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const endings: Ending[] = []
  let isCommitting = false
  const run = async (tx: Tx): Promise<Result> => {
    running.set(tx, { db, endings })
    const result = await work(tx)
    isCommitting = true
    return result
  }
  try {
    const result = await db.transaction().execute(run)
    for (const end of endings) end(true)
    return result
  } catch (error) {
    if (isCommitting && !RETRYABLE.has(codeOf(error))) for (const end of endings) end(false)
    throw error
  }
}

/** The database of a transaction that `transaction` runs, and where to add what follows its end. */
export const findRunning = (tx: Tx | Db) => running.get(tx as Tx)

export async function retrying<Result>(work: (attempt: number) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt)
    } catch (error) {
      if (attempt >= TRIES_MAX || !isRetryable(error)) throw error
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}

const UNIQUE_VIOLATION = '23505'
/** The name of the violated unique constraint; undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  return codeOf(error) === UNIQUE_VIOLATION ? (error as { constraint?: string }).constraint : undefined
}

/** A UUIDv7: 48 bits of time, then random, so that rows inserted together are close together in an index. */
export function newId<Kind extends string>(nowMs = Date.now()): Id<Kind> {
  const time = nowMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}` as Id<Kind>
}
