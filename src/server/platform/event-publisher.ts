import { type Event, RESYNC } from './events.ts'

export type Publisher = ReturnType<typeof createPublisher>

/** At most one statement in this time, and after a failed one a pause. The first event after a rest does not wait. */
const REST_MS = 25
const FAILED_MS = 1_000
/** PostgreSQL limits a NOTIFY payload to 8,000 bytes. */
const PAYLOAD_BYTES_MAX = 7_900
/** More events than this are dropped, and pages are asked to read everything again. */
const WAITING_MAX = 20_000

/**
 * Sends the events of committed transactions, many in one statement. A NOTIFY inside each transaction would make their
 * commits wait for each other. Equal events that wait together are sent once; the order is kept. If events are lost,
 * the next statement asks every page to read everything again.
 */
export function createPublisher(send: (payloads: string[]) => Promise<unknown>) {
  /** Encoded. The key is the same for equal events without data. */
  let waiting = new Map<string, string>()
  let isBehind = false
  let isOpen = false
  let sending: Promise<void> | undefined

  const hasWork = () => isOpen && (isBehind || waiting.size > 0)

  async function sendWaiting(): Promise<void> {
    const texts = [...(isBehind ? [encode({ topic: RESYNC })] : []), ...waiting.values()]
    waiting = new Map()
    isBehind = false
    await send(payloadsOf(texts)).catch(() => {
      isBehind = true
    })
  }

  async function run(): Promise<void> {
    // Events that are added in the same turn of the event loop are sent together.
    await new Promise(setImmediate)
    while (hasWork()) {
      const rested = rest(REST_MS)
      await sendWaiting()
      if (isBehind) await rest(FAILED_MS)
      else if (hasWork()) await rested
    }
    sending = undefined
  }

  function start(): void {
    if (hasWork()) sending ??= run()
  }

  return {
    /** Whether it has a connection. */
    isOpen: () => isOpen,
    open(): void {
      isOpen = true
      start()
    },
    close(): void {
      isOpen = false
    },
    add(events: readonly Event[]): void {
      for (const event of events) {
        const text = encode(event)
        waiting.set(event.data === undefined ? text : `${waiting.size} ${text}`, text)
      }
      if (waiting.size > WAITING_MAX) {
        waiting = new Map()
        isBehind = true
      }
      start()
    },
    /** Resolves when everything that was added has been sent, or cannot be sent. */
    async flush(): Promise<void> {
      await sending
    },
  }
}

const rest = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

/** Programmer error: an event must fit into one NOTIFY. */
export function encode(event: Event): string {
  const text = JSON.stringify(event)
  if (Buffer.byteLength(text) + 2 > PAYLOAD_BYTES_MAX) throw new Error(`an event is too long: ${event.topic}`)
  return text
}

/** JSON arrays of encoded events, which each fit into one NOTIFY. */
export function payloadsOf(texts: readonly string[]): string[] {
  const payloads: string[][] = []
  let bytes = PAYLOAD_BYTES_MAX
  for (const text of texts) {
    const more = Buffer.byteLength(text) + 1
    if (bytes + more > PAYLOAD_BYTES_MAX) {
      payloads.push([])
      bytes = 2
    }
    payloads.at(-1)?.push(text)
    bytes += more
  }
  return payloads.map((payload) => `[${payload}]`)
}
