import { setTimeout as sleep } from 'node:timers/promises'
import { createWaiting } from './waiting.ts'

/** After a batch of this many keys, the next one is gathered: so many calls are in flight that more follow soon. */
const CROWD = 4
const GATHER_MS = 2

type BatchOptions = {
  /** In the metrics. */
  name: string
  sizeMax?: number
  /** Resolves when a batch that is gathered should be sent. */
  gather?: () => Promise<void>
}

/**
 * Runs one query for all keys requested in the same turn of the event loop. Under load, one query per request becomes one
 * query per batch. Unlike a cache, it is never stale. A key that would wait too long is refused.
 *
 * A query costs the two processes more than most of its keys do. So when calls follow each other closely, a batch waits
 * for a moment to become larger. A call that is alone, or one of a few, never waits for others.
 */
export function batched<Key, Value>(
  load: (keys: Key[]) => Promise<(Value | undefined)[]>,
  { name, sizeMax = 200, gather = () => sleep(GATHER_MS) }: BatchOptions,
) {
  const waiting = createWaiting<Key, Value | undefined>(name, sizeMax)
  let inFlight = false
  /** Of the last batch. */
  let size = 0

  async function flush(): Promise<void> {
    while (waiting.size() > 0) {
      if (size >= CROWD && waiting.size() < sizeMax) await gather()
      // Keys that have waited too long may have been refused meanwhile.
      if (waiting.size() > 0) await waiting.run(sendBatch)
    }
    size = 0
    inFlight = false
  }

  async function sendBatch(): Promise<void> {
    const batch = waiting.take(sizeMax)
    size = batch.length
    try {
      const values = await load(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, index) => {
        resolve(values[index])
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (key: Key): Promise<Value | undefined> => {
    const value = waiting.add(key)
    if (!inFlight && waiting.size() > 0) {
      inFlight = true
      setImmediate(flush)
    }
    return value
  }
}
