import type { ServerResponse } from 'node:http'
import type { Event } from './events.ts'

/** The session that opened a stream. `isLive` queries the database. */
export type StreamSession = { id: string; userNumber: number; isLive(): Promise<boolean> }

export type Stream = {
  response: ServerResponse
  session: StreamSession | undefined
  /** The public topics that the page asked for. Without a list it gets all of them. */
  topics: readonly string[] | undefined
}

/** A message, encoded once for all streams: as it is, and as a chunk of HTTP/1.1. */
export type Frame = { text: Buffer; chunk: Buffer }

/** A page that reads more slowly than this is disconnected. It connects again and fetches what it missed. */
const UNSENT_BYTES_MAX = 256 * 1024
/** How many streams are written to in one turn of the event loop. Then calls get a turn. */
const STREAMS_PER_TURN = 500
/** The key of the streams that get every public topic. */
const EVERY_TOPIC = ''

export function frameOf(text: string): Frame {
  const bytes = Buffer.from(text)
  return { text: bytes, chunk: Buffer.from(`${bytes.length.toString(16)}\r\n${text}\r\n`) }
}

export const frameOfEvent = ({ topic, data }: Event): Frame =>
  frameOf(`event: ${topic}\ndata: ${JSON.stringify(data ?? {})}\n\n`)

/** Writes to a page, or disconnects it if it has not read enough of what was written before. */
export function write(response: ServerResponse, { text, chunk }: Frame): void {
  if (response.writableEnded) return
  if (response.writableLength + text.length > UNSENT_BYTES_MAX) return void response.destroy()
  // Node writes the parts of a chunk one by one, which costs more. There is no socket while an earlier reply is being
  // sent on the same connection, and there are no chunks in HTTP/1.0.
  if (response.chunkedEncoding && response.socket) response.socket.write(chunk)
  else response.write(text)
}

/** Writes to many pages, a few at a time. Pages that connect in the meantime may get the message too. */
export async function writeToAll(streams: Iterable<Stream>[], frame: Frame): Promise<void> {
  let written = 0
  for (const some of streams)
    for (const { response } of some) {
      write(response, frame)
      if (++written % STREAMS_PER_TURN === 0) await new Promise(setImmediate)
    }
}

/** Finds the streams that an event goes to, without a look at the others. */
export function createStreamIndex() {
  const byUser = createIndex<number>()
  const byTopic = createIndex<string>()
  const topicsOf = ({ topics }: Stream) => topics ?? [EVERY_TOPIC]
  return {
    add(stream: Stream): void {
      for (const topic of topicsOf(stream)) byTopic.add(topic, stream)
      if (stream.session) byUser.add(stream.session.userNumber, stream)
    },
    delete(stream: Stream): void {
      for (const topic of topicsOf(stream)) byTopic.delete(topic, stream)
      if (stream.session) byUser.delete(stream.session.userNumber, stream)
    },
    ofUser: byUser.get,
    /** Each stream is in at most one of these sets. */
    ofTopic: (topic: string): Iterable<Stream>[] => [byTopic.get(topic), byTopic.get(EVERY_TOPIC)],
  }
}

function createIndex<Key>() {
  const sets = new Map<Key, Set<Stream>>()
  return {
    add(key: Key, stream: Stream): void {
      sets.set(key, (sets.get(key) ?? new Set()).add(stream))
    },
    delete(key: Key, stream: Stream): void {
      const set = sets.get(key)
      set?.delete(stream)
      if (set?.size === 0) sets.delete(key)
    },
    get: (key: Key): Iterable<Stream> => sets.get(key) ?? [],
  }
}
