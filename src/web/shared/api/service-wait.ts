import { useSyncExternalStore } from 'react'

/** How long a call keeps trying while the service restarts. A failover of the database takes about half a minute. */
const WAIT_MS_MAX = 60_000
const PAUSE_SECONDS_MAX = 5

let waiting = 0
const listeners = new Set<() => void>()

function count(change: 1 | -1): void {
  waiting += change
  for (const listener of listeners) listener()
}

/** Waits between the attempts of one call. `end` must be called when the call is over. */
export function createServiceWait() {
  const deadline = Date.now() + WAIT_MS_MAX
  let isCounted = false
  let attempts = 0
  return {
    /** Waits as long as the reply asks, and twice as long after each further attempt. Returns false if the call should give up: the reply asks for no repeat, or too late. */
    async pause(reply: Response): Promise<boolean> {
      const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN)
      if (reply.status !== 503 || Number.isNaN(seconds) || Date.now() > deadline) return false
      if (!isCounted) count(1)
      isCounted = true
      // A random part, so that not all pages come back at the same moment.
      const pauseMs = Math.min(seconds * 2 ** attempts++, PAUSE_SECONDS_MAX) * 1_000 * (0.5 + Math.random())
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      return true
    },
    end(): void {
      if (isCounted) count(-1)
      isCounted = false
    },
  }
}

/** Whether a call of this page waits for the service. */
export const useIsWaiting = (): boolean => useSyncExternalStore(subscribe, () => waiting > 0)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
