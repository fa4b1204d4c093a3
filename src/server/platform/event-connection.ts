import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { clientFor } from './database-hosts.ts'
import { connectionSettings } from './db.ts'
import { createPublisher, type Publisher } from './event-publisher.ts'
import { CHANNEL, type Event, RESYNC } from './events.ts'
import type { Log } from './log.ts'
import { endIfSilent } from './silence.ts'

export type Events = {
  subscribe(listener: (event: Event) => void): () => void
  publisher: Publisher | undefined
  stop(): Promise<void>
}

const LISTEN = `listen ${CHANNEL}`
const NOTIFY = `select pg_notify('${CHANNEL}', payload) from unnest($1::text[]) as payload`
const RECONNECT_MS = 1_000
/** A connection that is lost without a reset is noticed after at most twice this time. */
const HEARTBEAT_MS = 5_000
/** How long a stop waits for the last events and for the connection to close. */
const CLOSE_MS_MAX = 1_000

/**
 * Renews the row of this process, and deletes rows that were not renewed. Such a process was killed, perhaps between a
 * commit and its events, so every page is asked to read everything again. Locked rows are skipped: processes that were
 * paused together would otherwise wait for each other's rows.
 */
const RENEW = `
  with renewed as (
    insert into event_publishers (id) values ($1) on conflict (id) do update set seen_at = now()
  ), gone as (
    delete from event_publishers where id in (
      select id from event_publishers where seen_at < now() - interval '20 seconds' and id <> $1 for update skip locked)
    returning id
  )
  select pg_notify('${CHANNEL}', '[{"topic":"${RESYNC}"}]') from gone limit 1`

/**
 * Keeps one LISTEN connection per process, never two at a time, and reconnects when it is lost. With `publishes` the
 * same connection also sends the events of committed transactions (events.ts).
 */
export function connectEvents(databaseUrl: string, log: Log, { publishes = false } = {}): Events {
  const listeners = new Set<(event: Event) => void>()
  const stopping = new AbortController()
  const id = randomUUID()
  let client: pg.Client | undefined
  const publisher = publishes ? createPublisher(async (payloads) => client?.query(NOTIFY, [payloads])) : undefined

  const hear = (event: Event) => {
    for (const listener of listeners) listener(event)
  }

  /** Returns when the connection has ended. */
  async function listen(): Promise<void> {
    const fresh = new (clientFor(databaseUrl))(connectionSettings(databaseUrl))
    client = fresh
    fresh.on('notification', ({ payload }) => (JSON.parse(payload ?? '[]') as Event[]).forEach(hear))
    const ended = new Promise<void>((resolve) => fresh.once('end', resolve))
    fresh.on('error', (error) => log.warn({ error: error.message }, 'event connection failed'))
    await fresh.connect()
    endIfSilent(fresh, HEARTBEAT_MS)
    await fresh.query(LISTEN)
    await renew(fresh)
    publisher?.open()
    // Listeners may have missed events while the connection was down.
    hear({ topic: RESYNC })
    const beating = beat(() => renew(fresh), stopping.signal)
    await ended
    publisher?.close()
    await beating
  }

  /** Also the heartbeat. To repeat LISTEN changes nothing. */
  const renew = (connected: pg.Client) => (publisher ? connected.query(RENEW, [id]) : connected.query(LISTEN))

  async function keepListening(): Promise<void> {
    while (!stopping.signal.aborted) {
      await listen().catch((error: Error) => log.warn({ error: error.message }, 'event connection failed'))
      await client?.end().catch(() => {})
      await sleep(RECONNECT_MS, undefined, stopping).catch(() => {})
    }
  }

  /** Sends what is waiting. Only then the row may go: nothing was lost. */
  async function finish(): Promise<void> {
    if (publisher?.isOpen()) {
      await publisher.flush()
      await client?.query('delete from event_publishers where id = $1', [id])
    }
    await client?.end()
  }

  void keepListening()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    publisher,
    async stop() {
      stopping.abort()
      await Promise.race([finish().catch(() => {}), sleep(CLOSE_MS_MAX, undefined, { ref: false })])
    },
  }
}

/** Repeats a statement until the connection ends, so that its silence is noticed. */
async function beat(renew: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  try {
    for (;;) {
      await sleep(HEARTBEAT_MS, undefined, { signal })
      await renew()
    }
  } catch {
    // The connection has ended, or the listener was stopped.
  }
}
