import { Counter, Gauge } from 'prom-client'
import { AppError } from '../../protocol/errors.ts'

/** A call that would wait longer for its batch is refused when it arrives. */
const EXPECTED_MS_MAX = 500
/** A call that has waited so long is refused: the batch before it hangs. As long as a query may wait for a connection. */
const WAITED_MS_MAX = 5_000
/** How much one batch changes the expected duration of the next. */
const WEIGHT = 0.3

/** The call has not happened: nothing was done, and its idempotency key may be used again. */
export const busy = () =>
  new AppError('unavailable', 'The service is very busy. Nothing was lost: try again.', undefined, 1)

export type Waiter<Item, Result> = {
  item: Item
  sinceMs: number
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Items that wait for a batch, oldest first. The queue is bounded by time (R28): an item is refused when it arrives if the
 * batches before it will take too long, and later if it has waited too long. Items that fit into the next round of
 * batches are never refused when they arrive. `perRound` is the number of items in all batches that run at once.
 */
export function createWaiting<Item, Result>(
  name: string,
  perRound: number,
  { expectedMsMax = EXPECTED_MS_MAX, waitedMsMax = WAITED_MS_MAX } = {},
) {
  const waiters: Waiter<Item, Result>[] = []
  let [batchMs, running] = [0, 0]
  let timer: NodeJS.Timeout | undefined

  const waitedMs = () => (waiters[0] ? performance.now() - waiters[0].sinceMs : 0)
  const expectedMs = () => batchMs * (Math.floor(waiters.length / perRound) + Math.min(running, 1))
  const isCrowded = () => waiters.length >= perRound && expectedMs() > expectedMsMax

  function refuseLate(): void {
    const end = performance.now() - waitedMsMax
    const count = waiters.findIndex(({ sinceMs }) => sinceMs > end)
    for (const { reject } of waiters.splice(0, count < 0 ? waiters.length : count)) {
      countRefused()
      reject(busy())
    }
    timer = undefined
    watch()
  }
  /** The timer follows the oldest item. */
  function watch(): void {
    if (!timer && waiters.length > 0) timer = setTimeout(refuseLate, Math.ceil(waitedMsMax - waitedMs()) + 1).unref()
  }

  const queue = {
    add(item: Item): Promise<Result> {
      if (isCrowded()) {
        countRefused()
        return Promise.reject(busy())
      }
      return new Promise((resolve, reject) => {
        waiters.push({ item, sinceMs: performance.now(), resolve, reject })
        watch()
      })
    },
    /** Takes the items of the next batch. Those that do not fit keep their places. */
    take(sizeMax: number, fits: (item: Item) => boolean = () => true): Waiter<Item, Result>[] {
      const taken: Waiter<Item, Result>[] = []
      for (const waiter of waiters.splice(0))
        if (taken.length < sizeMax && fits(waiter.item)) taken.push(waiter)
        else waiters.push(waiter)
      return taken
    },
    /** Runs a batch and measures it. */
    async run(work: () => Promise<void>): Promise<void> {
      const beganMs = performance.now()
      running++
      await work().finally(() => {
        running--
        const tookMs = performance.now() - beganMs
        batchMs = batchMs === 0 ? tookMs : batchMs + WEIGHT * (tookMs - batchMs)
      })
    },
    size: () => waiters.length,
    waitedMs,
    isCrowded,
  }
  const countRefused = watchQueue(name, queue)
  return queue
}

type Queue = { size(): number; waitedMs(): number }
const queues = new Map<string, Queue>()

/** Adds a queue to the metrics. Returns a function that counts a refused call. */
export function watchQueue(name: string, queue: Queue): () => void {
  queues.set(name, queue)
  refused.inc({ queue: name }, 0)
  return () => refused.inc({ queue: name })
}

const refused = new Counter({
  name: 'wellplay_batch_queue_refused_total',
  help: 'Calls that were refused because they would have waited too long, by queue',
  labelNames: ['queue'],
})

new Gauge({
  name: 'wellplay_batch_queue_items',
  help: 'Items of this process that wait for a batch, by queue, and calls in flight',
  labelNames: ['queue'],
  collect() {
    for (const [queue, { size }] of queues) this.set({ queue }, size())
  },
})

new Gauge({
  name: 'wellplay_batch_queue_oldest_seconds',
  help: 'How long the oldest of these items has waited',
  labelNames: ['queue'],
  collect() {
    for (const [queue, { waitedMs }] of queues) this.set({ queue }, waitedMs() / 1000)
  },
})
