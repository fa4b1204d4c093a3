import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { clientFor } from './database-hosts.ts'
import { connectionSettings, type Db, type Tx } from './db.ts'
import type { Log } from './log.ts'
import { endIfSilent } from './silence.ts'

/** An event that is pushed to pages. Without `user` it goes to everyone. */
export type Event = { topic: string; user?: number; data?: unknown }
export type Events = {
  subscribe(listener: (event: Event) => void): () => void
  stop(): Promise<void>
}

/**
 * A session of `user` has ended: the one in `data.session`, or all of them. The server closes their streams and sends
 * this event to no page.
 */
export const SIGNED_OUT = 'signed-out'

const CHANNEL = 'wellplay_events'
/** Also the heartbeat: repeating it changes nothing. */
const LISTEN = `listen ${CHANNEL}`
const RECONNECT_MS = 1_000
/** A connection that is lost without a reset is noticed after at most twice this time. */
const HEARTBEAT_MS = 5_000
/** How long a stop waits for the connection to close. */
const CLOSE_MS_MAX = 1_000

/** Notifies every process when the transaction commits. Keep payloads small: pages fetch the rest. */
export async function publish(tx: Tx | Db, ...events: Event[]): Promise<void> {
  if (events.length === 0) return
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(events)})`.execute(tx)
}

/** Keeps one LISTEN connection per process, never two at a time, and reconnects when it is lost. */
export function listenForEvents(databaseUrl: string, log: Log): Events {
  const listeners = new Set<(event: Event) => void>()
  const stopping = new AbortController()
  let client: pg.Client | undefined

  /** Returns when the connection has ended. */
  async function listen(): Promise<void> {
    const fresh = new (clientFor(databaseUrl))(connectionSettings(databaseUrl))
    client = fresh
    fresh.on('notification', ({ payload }) => {
      for (const event of JSON.parse(payload ?? '[]') as Event[]) for (const listener of listeners) listener(event)
    })
    const ended = new Promise<void>((resolve) => fresh.once('end', resolve))
    fresh.on('error', (error) => log.warn({ error: error.message }, 'event connection failed'))
    await fresh.connect()
    endIfSilent(fresh, HEARTBEAT_MS)
    await fresh.query(LISTEN)
    // Listeners may have missed events while the connection was down.
    for (const listener of listeners) listener({ topic: 'resync' })
    const beating = beat(fresh)
    await ended
    await beating
  }

  /** Repeats a statement until the connection ends, so that its silence is noticed. */
  async function beat(connected: pg.Client): Promise<void> {
    try {
      for (;;) {
        await sleep(HEARTBEAT_MS, undefined, { signal: stopping.signal })
        await connected.query(LISTEN)
      }
    } catch {
      // The connection has ended, or the listener was stopped.
    }
  }

  async function keepListening(): Promise<void> {
    while (!stopping.signal.aborted) {
      await listen().catch((error: Error) => log.warn({ error: error.message }, 'event connection failed'))
      await client?.end().catch(() => {})
      await sleep(RECONNECT_MS, undefined, stopping).catch(() => {})
    }
  }

  void keepListening()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async stop() {
      stopping.abort()
      await Promise.race([client?.end().catch(() => {}), sleep(CLOSE_MS_MAX, undefined, { ref: false })])
    },
  }
}
