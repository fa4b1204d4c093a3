import type { Socket } from 'node:net'
import type pg from 'pg'

/**
 * A database that disappears without closing its connections never answers. These functions end a connection whose
 * server stays silent while a statement is running (R28). pg's own `query_timeout` keeps the connection, so that the
 * rollback, and every later user of this connection, waits again.
 */

/** An idle connection without data for this long is suspect: it is closed when a busy one does not answer either. */
const QUIET_MS = 2_000

const socketOf = (client: pg.Client): Socket => client.connection.stream as Socket
/** Undocumented, but public in pg: false while a statement is running. */
const isBusy = (client: pg.Client): boolean => !(client as unknown as { readyForQuery: boolean }).readyForQuery
const silent = () => Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' })

/** Ends the connection if a statement gets no answer for `answerMs`. Call it when the connection is open. */
export function endIfSilent(client: pg.Client, answerMs: number): void {
  const socket = socketOf(client)
  onQuiet(socket, answerMs, () => isBusy(client) && socket.destroy(silent()))
}

/** Runs `work` each time the socket has been without data for so long. A callback of `setTimeout` would run only once. */
const onQuiet = (socket: Socket, quietMs: number, work: () => void) => socket.setTimeout(quietMs).on('timeout', work)

/** The same for all connections of a pool. Idle ones are probably lost too, so that no later call has to find out. */
export function endSilentConnections(pool: pg.Pool, answerMs: number): void {
  const quiet = new Set<pg.Client>()
  const quietMs = Math.min(QUIET_MS, answerMs)

  function onSilence(client: pg.Client): void {
    if (!isBusy(client)) return void quiet.add(client)
    for (const idle of quiet) socketOf(idle).destroy()
    const socket = socketOf(client)
    const heard = socket.bytesRead
    const endIfStillSilent = () => isBusy(client) && socket.bytesRead === heard && socket.destroy(silent())
    setTimeout(endIfStillSilent, answerMs - quietMs).unref()
  }

  pool.on('connect', (client) => onQuiet(socketOf(client), quietMs, () => onSilence(client)))
  pool.on('acquire', (client) => quiet.delete(client))
  pool.on('remove', (client) => quiet.delete(client))
}
