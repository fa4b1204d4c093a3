import type { Pool } from 'pg'
import type { Address, UserId } from '../protocol/ids.ts'
import type { InputOf, OutputOf, Route, Routes } from '../protocol/route.ts'
import { type Chain, createChain } from './chain/client.ts'
import { createLedger, type Ledger } from './ledger/submit.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import { createDb, createPool, type Db, type PoolOptions } from './platform/db.ts'
import { connectEvents, type Events } from './platform/event-connection.ts'
import { publishThrough } from './platform/events.ts'
import type { Call, Key, Work } from './platform/idempotency.ts'
import { createLog, type Log } from './platform/log.ts'

/** The dependencies of every feature, built once, by hand. Tests build the same context. */
export type Context = {
  config: Config
  db: Db
  /** For the few statements that run often enough to be prepared on each connection. */
  pool: Pool
  ledger: Ledger
  chain: Chain
  events: Events
  log: Log
  clock: Clock
}

export type User = { id: UserId; number: number; username: string; walletAddress: Address }
/** `isBound`: changes need a proof by the session's key (R5). */
export type Session = { id: string; user: User; isBound: boolean }

/** An idempotency key taken from the request, and the error when it was used with a different request. */
type NaturalKey = Key & Pick<Call, 'mismatch'>

/** The context of one request. `user` is set on routes that require sign-in. */
export type RequestContext<R extends Route = Route> = Context & {
  requestId: string
  /** Where the call comes from (platform/network.ts), for limits per caller. */
  network: string
  /** The country that the operator's proxy names for this call (COUNTRY_HEADER), if there is one. */
  country: string | undefined
  /** The browser's name, shown in the list of sessions. */
  device: string
  /**
   * Runs a change in one transaction, once per idempotency key (R2, platform/idempotency.ts). `natural` is a key
   * taken from the request itself.
   */
  change(work: Work<OutputOf<R>>, natural?: NaturalKey): Promise<OutputOf<R>>
  /** What identifies this call when it is repeated, for changes that are made in groups. Everything else uses `change`. */
  call: R['auth'] extends 'user' ? Call : undefined
  /** The Idempotency-Key header, for postings that the ledger batches. Everything else uses `change`. */
  idempotencyKey: string | undefined
  session: R['auth'] extends 'user' ? Session : undefined
  user: R['auth'] extends 'user' ? User : undefined
}

/** One handler for each route of a feature: a missing or misspelt one does not compile. */
export type Handlers<Table extends Routes> = {
  [Name in keyof Table]: (
    context: RequestContext<Table[Name]>,
    input: InputOf<Table[Name]>,
  ) => Promise<OutputOf<Table[Name]>>
}

type ContextOptions = PoolOptions & {
  /** Whether events to one user are sent after the commit (platform/events.ts). For processes that run for long. */
  publishes?: boolean
}

export function createContext(
  config: Config,
  name: string,
  clock: Clock = systemClock,
  { publishes = false, ...options }: ContextOptions = {},
) {
  const log = createLog(config.logLevel, name)
  const { databaseUrl, listenUrl, isPooled, databaseConnections } = config
  const pool = createPool(databaseUrl, databaseConnections, { name, ...options, isPooled })
  const db = createDb(pool)
  const events = connectEvents(listenUrl, log, { publishes })
  if (events.publisher) publishThrough(db, events.publisher)
  const context: Context = {
    config,
    db,
    pool,
    ledger: createLedger(pool),
    chain: createChain(config.chain),
    events,
    log,
    clock,
  }
  async function close(): Promise<void> {
    await events.stop()
    await db.destroy()
  }
  return { context, close }
}
