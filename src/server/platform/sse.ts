import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Event, Events } from './events.ts'

const HEARTBEAT_MS = 20_000

/** Sends a page the public events and those of its user, until it disconnects. */
export function streamEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  events: Events,
  userNumber: number | undefined,
) {
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
  const send = ({ topic, user, data }: Event) => {
    if (user === undefined || user === userNumber)
      stream.write(`event: ${topic}\ndata: ${JSON.stringify(data ?? {})}\n\n`)
  }
  const unsubscribe = events.subscribe(send)
  const heartbeat = setInterval(() => stream.write(': still here\n\n'), HEARTBEAT_MS)
  request.raw.on('close', () => {
    clearInterval(heartbeat)
    unsubscribe()
  })
}
