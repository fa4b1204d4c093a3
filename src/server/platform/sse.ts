import { randomInt } from 'node:crypto'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Gauge } from 'prom-client'
import { AppError } from '../../protocol/errors.ts'
import { createBroadcasts } from './broadcasts.ts'
import type { Events } from './event-connection.ts'
import { type Event, RESYNC, SIGNED_OUT } from './events.ts'
import { networkOf } from './network.ts'
import { createSlots } from './slots.ts'
import { createStreamIndex, frameOf, frameOfEvent, type Stream, type StreamSession, write } from './streams.ts'

/** Each stream gets a heartbeat in this time. The streams take turns, so that not all of them get it at once. */
const HEARTBEAT_SECONDS = 20
const HEARTBEAT = frameOf(': still here\n\n')
/** When the server stops, pages connect again at different times. */
const RESTART_MS = { min: 100, max: 2_000 }
const UNLIMITED = { perCaller: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY }

const openStreams = new Gauge({
  name: 'wellplay_event_streams',
  help: 'Open event streams, of signed-in users and of visitors',
  labelNames: ['caller'],
})

type Request = { session: StreamSession | undefined; topics: readonly string[] | undefined }

/**
 * Streams to a page the public events that it wants and those of its user, until it disconnects or the session ends. A
 * stream whose session has ended is closed, and the page connects again as a visitor. `end` closes all streams and tells
 * each page when to connect again.
 */
export function createEventStreams(events: Events, { limited }: { limited: boolean }) {
  const limits = limited ? streamLimits(openFilesMax()) : { visitors: UNLIMITED, users: UNLIMITED }
  const visitors = createSlots(limits.visitors)
  const users = createSlots(limits.users)
  const index = createStreamIndex()
  /** All streams, by the second of their heartbeat. */
  const beats = Array.from({ length: HEARTBEAT_SECONDS }, () => new Set<Stream>())
  let opened = 0
  let second = 0

  const broadcasts = createBroadcasts({
    ofTopic: index.ofTopic,
    all: beats,
    // A session may have ended unnoticed, too.
    onResync: check,
  })

  function open(request: FastifyRequest, reply: FastifyReply, { session, topics }: Request): void {
    const free = session ? users.take(String(session.userNumber)) : visitors.take(networkOf(request.ip))
    if (!free) throw new AppError('rate_limited', 'Too many open pages. Close some of them.', undefined, 5)
    const stream = { response: openResponse(reply), session, topics }
    // The page may have gone while its session was looked up.
    if (stream.response.destroyed) return void free()
    // Browsers send back the last id when they connect again. They may have missed events in between.
    if (request.headers['last-event-id'] !== undefined) write(stream.response, frameOfEvent({ topic: RESYNC }))
    const beat = beats[opened++ % HEARTBEAT_SECONDS]
    beat?.add(stream)
    index.add(stream)
    const caller = session ? 'user' : 'visitor'
    openStreams.inc({ caller })
    stream.response.once('close', () => {
      beat?.delete(stream)
      index.delete(stream)
      openStreams.dec({ caller })
      free()
    })
    // The session may have ended after it was found and before this stream was in the index.
    check(stream)
  }

  const unsubscribe = events.subscribe((event) => {
    const { topic, user } = event
    if (topic === SIGNED_OUT) return endSessions(event)
    if (user === undefined) return broadcasts.send(event)
    const frame = frameOfEvent(event)
    for (const { response } of index.ofUser(user)) write(response, frame)
  })

  function endSessions({ user, data }: Event): void {
    const ended = (data as { session: string } | undefined)?.session
    if (user === undefined) return
    for (const { response, session } of index.ofUser(user))
      if (ended === undefined || ended === session?.id) response.end()
  }

  const heartbeat = setInterval(() => {
    for (const stream of beats[second++ % HEARTBEAT_SECONDS] ?? []) {
      write(stream.response, HEARTBEAT)
      check(stream)
    }
  }, 1_000).unref()

  function end(): void {
    clearInterval(heartbeat)
    unsubscribe()
    for (const beat of beats)
      for (const { response } of beat) response.end(`: the server restarts\nretry: ${restartMs()}\n\n`)
  }
  return { open, end }
}

const restartMs = () => randomInt(RESTART_MS.min, RESTART_MS.max)

/** Ends a stream whose session has ended. While the database is down no event can arrive, and a resync repeats this. */
function check({ session, response }: Stream): void {
  session?.isLive().then(
    (isLive) => isLive || response.end(),
    () => {},
  )
}

/**
 * Open streams per process, because memory and open files are those of the process. Callers who use several processes
 * get more, but no process runs out. Some files are left for calls, and visitors cannot use up the streams of users.
 */
export const streamLimits = (filesMax: number) => ({
  visitors: { perCaller: 50, total: Math.min(10_000, Math.floor(filesMax * 0.3)) },
  users: { perCaller: 20, total: Math.min(20_000, Math.floor(filesMax * 0.6)) },
})

/** How many files and sockets this process may have open. Node raises the soft limit to the hard one when it starts. */
function openFilesMax(): number {
  // Names of connected hosts are not needed, and looking them up is slow.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } }
  const files = Number(userLimits?.open_files?.soft)
  // "unlimited", or a system without this figure.
  return Number.isFinite(files) ? files : Number.POSITIVE_INFINITY
}

function openResponse(reply: FastifyReply): ServerResponse {
  reply.hijack()
  const response = reply.raw
  response.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  response.write('id: 1\nretry: 2000\n\n')
  return response
}
