type Entry<Value> = { beganMs: number; value: Promise<Value>; isRead: boolean }
export type Shared<Value> = ReturnType<typeof createShared<Value>>

/**
 * Values that are the same for everyone. The first caller reads a value, callers in the meantime wait for that read, and
 * later callers get the same value until it is too old. A failed read is not kept.
 */
export function createShared<Value>({ ageMsMax = 5_000, keysMax = 100, nowMs = Date.now } = {}) {
  const entries = new Map<string, Entry<Value>>()

  function begin(key: string, read: () => Promise<Value>): Entry<Value> {
    const entry: Entry<Value> = { beganMs: nowMs(), value: read(), isRead: false }
    const forget = () => entries.get(key) === entry && entries.delete(key)
    entry.value.then(() => {
      entry.isRead = true
    }, forget)
    entries.delete(key)
    entries.set(key, entry)
    for (const [oldest] of entries) if (entries.size > keysMax) entries.delete(oldest)
    return entry
  }

  return {
    /** The value and its age, counted from the start of the read. */
    async get(key: string, read: () => Promise<Value>): Promise<{ value: Value; ageMs: number }> {
      const known = entries.get(key)
      const isFresh = known !== undefined && (!known.isRead || nowMs() - known.beganMs < ageMsMax)
      const entry = isFresh ? known : begin(key, read)
      const value = await entry.value
      return { value, ageMs: nowMs() - entry.beganMs }
    },
    /** Forgets everything. A read that has begun is still returned to those who wait for it, but to no one else. */
    clear: () => entries.clear(),
  }
}
