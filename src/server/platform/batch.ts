import { createWaiting } from './waiting.ts'

type BatchOptions = {
  /** In the metrics. */
  name: string
  sizeMax?: number
}

/**
 * Runs one query for all keys requested in the same turn of the event loop. Under load, one query per request becomes one
 * query per batch. Unlike a cache, it is never stale. A key that would wait too long is refused.
 */
export function batched<Key, Value>(
  load: (keys: Key[]) => Promise<(Value | undefined)[]>,
  { name, sizeMax = 200 }: BatchOptions,
) {
  const waiting = createWaiting<Key, Value | undefined>(name, sizeMax)
  let inFlight = false

  async function flush(): Promise<void> {
    while (waiting.size() > 0) await waiting.run(sendBatch)
    inFlight = false
  }

  async function sendBatch(): Promise<void> {
    const batch = waiting.take(sizeMax)
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
