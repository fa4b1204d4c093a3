import { setTimeout as sleep } from 'node:timers/promises'
import { type Event, RESYNC } from './events.ts'
import { frameOfEvent, type Stream, write, writeToAll } from './streams.ts'

/** More events than this do not wait. They are dropped, and pages read everything again. */
const WAITING_MAX = 100
/** A resync makes each page send several calls, so only so many pages are told in this time. */
const RESYNC_STREAMS = 100
const RESYNC_REST_MS = 100
const RESYNC_FRAME = frameOfEvent({ topic: RESYNC })

type Receivers = {
  ofTopic(topic: string): Iterable<Stream>[]
  all: Iterable<Stream>[]
  onResync(stream: Stream): void
}

/** Sends public events to the streams that want them, one event after the other. */
export function createBroadcasts({ ofTopic, all, onResync }: Receivers) {
  const waiting: Event[] = []
  let isSending = false
  let isResyncing = false
  let isResyncDue = false

  async function sendWaiting(): Promise<void> {
    isSending = true
    for (let event = waiting.shift(); event; event = waiting.shift())
      await writeToAll(ofTopic(event.topic), frameOfEvent(event))
    isSending = false
  }

  /** If events are lost while a resync is running, every stream needs another one. */
  async function resync(): Promise<void> {
    isResyncDue = true
    if (isResyncing) return
    isResyncing = true
    while (isResyncDue) {
      isResyncDue = false
      await resyncAll()
    }
    isResyncing = false
  }

  async function resyncAll(): Promise<void> {
    let told = 0
    for (const streams of all)
      for (const stream of streams) {
        write(stream.response, RESYNC_FRAME)
        onResync(stream)
        if (++told % RESYNC_STREAMS === 0) await sleep(RESYNC_REST_MS, undefined, { ref: false })
      }
  }

  return {
    send(event: Event): void {
      if (event.topic === RESYNC) return void resync()
      if (waiting.length >= WAITING_MAX) {
        waiting.length = 0
        return void resync()
      }
      waiting.push(event)
      if (!isSending) void sendWaiting()
    },
  }
}
