/**
 * Runs one query for all keys requested in the same turn of the event loop. Under load, one query per request becomes one
 * query per batch. Unlike a cache, it is never stale.
 */
export function batched<Key, Value>(load: (keys: Key[]) => Promise<(Value | undefined)[]>, { sizeMax = 200 } = {}) {
  type Waiter = { key: Key; resolve(value: Value | undefined): void; reject(error: unknown): void }
  const waiting: Waiter[] = []
  let inFlight = false

  async function flush(): Promise<void> {
    inFlight = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, sizeMax)
      try {
        const values = await load(batch.map(({ key }) => key))
        batch.forEach(({ resolve }, index) => {
          resolve(values[index])
        })
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    inFlight = false
  }

  return (key: Key): Promise<Value | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (!inFlight) {
        inFlight = true
        setImmediate(flush)
      }
    })
}
