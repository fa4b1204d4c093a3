import { sql } from 'kysely'
import { type Db, findRunning, type Tx } from './db.ts'
import { encode, type Publisher, payloadsOf } from './event-publisher.ts'

/** An event that is pushed to pages. Without `user` it goes to everyone. */
export type Event = { topic: string; user?: number; data?: unknown }

/**
 * A session of `user` has ended: the one in `data.session`, or all of them. The server closes their streams and sends
 * this event to no page.
 */
export const SIGNED_OUT = 'signed-out'

/** Some events may have been lost: pages read everything again. */
export const RESYNC = 'resync'

export const CHANNEL = 'wellplay_events'

const publishers = new WeakMap<Db, Publisher>()

/** From now on the events of this database's transactions go through `publisher`. */
export const publishThrough = (db: Db, publisher: Publisher): void => void publishers.set(db, publisher)

/**
 * Sends events to every process. Keep them small: pages fetch the rest. An event to one user is sent after the commit, so
 * that it costs the transaction nothing (event-publisher.ts). An event to everyone is rare and sent with the commit, as
 * are all events of a process without a publisher. Outside a transaction there is no commit to wait for.
 */
export async function publish(tx: Tx | Db, ...events: Event[]): Promise<void> {
  const running = findRunning(tx)
  const publisher = publishers.get(running?.db ?? (tx as Db))
  const { now = [], later = [] } = Object.groupBy(events, ({ user }) =>
    publisher?.isOpen() && (user !== undefined || !running) ? 'later' : 'now',
  )
  if (now.length > 0)
    await sql`select pg_notify(${CHANNEL}, p) from unnest(${payloadsOf(now.map(encode))}::text[]) as p`.execute(tx)
  if (later.length === 0 || !publisher) return
  // An event that is too long fails here, before the commit. Without data none is.
  for (const event of later) if (event.data !== undefined) encode(event)
  if (!running) return publisher.add(later)
  // After a failed commit the change may exist or not. Pages find out by reading everything again.
  running.endings.push((isCommitted) => publisher.add(isCommitted ? later : resyncsOf(later)))
}

const resyncsOf = (events: readonly Event[]): Event[] =>
  events.flatMap(({ user }) => (user === undefined ? [] : { topic: RESYNC, user }))
