/** Counts calls by key, in windows of one minute. An implementation may share its counts between processes. */
export type RateCounter = {
  /** Adds one call. Returns the calls in this window, this one included, and when the window ends. */
  add(key: string): Promise<{ calls: number; resetsInMs: number }>
}

const WINDOW_MS = 60_000
const KEYS_MAX = 100_000

/**
 * Counts in memory, for one process. When there are too many keys, the oldest is forgotten. An attacker with that many
 * addresses is not stopped by a limit per address anyway, and no other caller is locked out.
 */
export function createRateCounter({ keysMax = KEYS_MAX, nowMs = Date.now } = {}): RateCounter & { size(): number } {
  const windows = new Map<string, { calls: number; endsMs: number }>()

  function open(key: string, now: number) {
    // Windows are equally long and in order of their start, so the ended ones come first.
    for (const [old, { endsMs }] of windows) {
      if (endsMs > now && windows.size < keysMax) break
      windows.delete(old)
    }
    const window = { calls: 0, endsMs: now + WINDOW_MS }
    windows.set(key, window)
    return window
  }

  return {
    async add(key) {
      const now = nowMs()
      const known = windows.get(key)
      const isOpen = known !== undefined && known.endsMs > now
      if (known && !isOpen) windows.delete(key)
      const window = isOpen ? known : open(key, now)
      window.calls++
      return { calls: window.calls, resetsInMs: window.endsMs - now }
    },
    size: () => windows.size,
  }
}
