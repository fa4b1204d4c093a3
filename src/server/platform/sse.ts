import { randomInt } from 'node:crypto'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Gauge } from 'prom-client'
import { AppError } from '../../protocol/errors.ts'
import { type Event, type Events, SIGNED_OUT } from './events.ts'
import { networkOf } from './network.ts'
import { createSlots } from './slots.ts'

const HEARTBEAT_MS = 20_000
/** A page that reads more slowly than this is disconnected. It connects again and fetches what it missed. */
const UNSENT_BYTES_MAX = 256 * 1024
/** Open streams per process. Visitors cannot use up the streams of signed-in users. */
const STREAMS_MAX = { visitors: { perCaller: 50, total: 4_000 }, users: { perCaller: 20, total: 4_000 } }
/** When the server stops, pages connect again at different times. */
const RESTART_MS = { min: 100, max: 2_000 }
const UNLIMITED = { perCaller: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY }

const openStreams = new Gauge({
  name: 'wellplay_event_streams',
  help: 'Open event streams, of signed-in users and of visitors',
  labelNames: ['caller'],
})

/** The session that opened a stream. `isLive` queries the database. */
export type StreamSession = { id: string; userNumber: number; isLive(): Promise<boolean> }

/**
 * Streams to a page the public events and those of its user, until it disconnects or the session ends. A stream whose
 * session has ended is closed, and the page connects again as a visitor. `end` closes all streams and tells each page
 * when to connect again.
 */
export function createEventStreams(events: Events, { limited }: { limited: boolean }) {
  const visitors = createSlots(limited ? STREAMS_MAX.visitors : UNLIMITED)
  const users = createSlots(limited ? STREAMS_MAX.users : UNLIMITED)
  const streams = new Set<ServerResponse>()

  function open(request: FastifyRequest, reply: FastifyReply, session: StreamSession | undefined): void {
    const free = session ? users.take(String(session.userNumber)) : visitors.take(networkOf(request.ip))
    if (!free) throw new AppError('rate_limited', 'Too many open pages. Close some of them.', undefined, 5)
    const stream = openStream(reply)
    streams.add(stream)
    const caller = session ? 'user' : 'visitor'
    openStreams.inc({ caller })
    const end = () => stream.end()
    const check = () => session?.isLive().then((isLive) => isLive || end(), keepOpen)
    const unsubscribe = events.subscribe((event) => {
      if (event.topic === SIGNED_OUT) return endsSession(event, session) && end()
      // Events may have been missed while the connection to the database was down.
      if (event.topic === 'resync') void check()
      if (event.user === undefined || event.user === session?.userNumber) send(stream, event)
    })
    const heartbeat = setInterval(() => {
      stream.write(': still here\n\n')
      void check()
    }, HEARTBEAT_MS)
    request.raw.on('close', () => {
      clearInterval(heartbeat)
      unsubscribe()
      streams.delete(stream)
      openStreams.dec({ caller })
      free()
    })
    // The session may have ended after it was found and before this stream subscribed.
    void check()
  }

  function end(): void {
    for (const stream of streams) stream.end(`: the server restarts\nretry: ${restartMs()}\n\n`)
  }
  return { open, end }
}

const restartMs = () => randomInt(RESTART_MS.min, RESTART_MS.max)

// While the database is down no event can arrive, and 'resync' repeats the check when it is back.
const keepOpen = () => {}

function endsSession({ user, data }: Event, session: StreamSession | undefined): boolean {
  const ended = (data as { session: string } | undefined)?.session
  return user === session?.userNumber && (ended === undefined || ended === session?.id)
}

function openStream(reply: FastifyReply): ServerResponse {
  reply.hijack()
  const stream = reply.raw
  stream.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  stream.write('retry: 2000\n\n')
  return stream
}

function send(stream: ServerResponse, { topic, data }: Event): void {
  if (stream.writableLength > UNSENT_BYTES_MAX) stream.destroy()
  else if (!stream.writableEnded) stream.write(`event: ${topic}\ndata: ${JSON.stringify(data ?? {})}\n\n`)
}
