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

/** One listening connection per process, opened again when the database comes back. */
export function listenForEvents(databaseUrl: string, log: Log): Events {
  const listeners = new Set<(event: Event) => void>()
  let client: pg.Client | undefined
  let stopped = false
  let retry: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    client = new pg.Client({ connectionString: databaseUrl })
    client.on('notification', ({ payload }) => {
      for (const event of JSON.parse(payload ?? '[]') as Event[]) for (const listener of listeners) listener(event)
    })
    client.on('error', (error) => log.warn({ error: error.message }, 'event connection failed'))
    client.on('end', () => {
      if (!stopped) retry = setTimeout(() => connect().catch(() => client?.emit('end')), RECONNECT_MS)
    })
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    // Whoever listens may have missed something while the connection was away.
    for (const listener of listeners) listener({ topic: 'resync' })
  }

  connect().catch((error) => {
    log.warn({ error: error.message }, 'event connection failed')
    client?.emit('end')
  })
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async stop() {
      stopped = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}
