import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db, Tx } from './db.ts'
import type { Log } from './log.ts'

/** Something pages want to hear about at once. Without `user` it is for everybody. */
export type Event = { topic: string; user?: number; data?: unknown }
export type Events = {
  subscribe(listener: (event: Event) => void): () => void
  stop(): Promise<void>
}

const CHANNEL = 'wellplay_events'
const RECONNECT_MS = 1_000

/** Tells every process, once the surrounding transaction has committed. Payloads stay small: pages fetch the rest. */
export async function publish(tx: Tx | Db, ...events: Event[]): Promise<void> {
  if (events.length === 0) return
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(events)})`.execute(tx)
}

/** One listening connection per process, opened again when the database comes back: never two at a time. */
export function listenForEvents(databaseUrl: string, log: Log): Events {
  const listeners = new Set<(event: Event) => void>()
  const stopping = new AbortController()
  let client: pg.Client | undefined

  /** Returns when the connection has ended. */
  async function listen(): Promise<void> {
    const fresh = new pg.Client({ connectionString: databaseUrl })
    client = fresh
    fresh.on('notification', ({ payload }) => {
      for (const event of JSON.parse(payload ?? '[]') as Event[]) for (const listener of listeners) listener(event)
    })
    const ended = new Promise<void>((resolve) => fresh.once('end', resolve))
    fresh.on('error', (error) => log.warn({ error: error.message }, 'event connection failed'))
    await fresh.connect()
    await fresh.query(`listen ${CHANNEL}`)
    // Whoever listens may have missed something while the connection was away.
    for (const listener of listeners) listener({ topic: 'resync' })
    await ended
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
      await client?.end().catch(() => {})
    },
  }
}
