import { useSyncExternalStore } from 'react'

/** `slow`: a call has been without a reply for some seconds. */
export type Connection = 'online' | 'slow' | 'offline'

const SLOW_MS = 4_000

let slowCalls = 0
const listeners = new Set<() => void>()

const announce = (): void => {
  for (const listener of listeners) listener()
}

/** Runs one attempt of a call, and counts it as slow while it takes too long. */
export async function withSlowness<Reply>(attempt: Promise<Reply>): Promise<Reply> {
  let isSlow = false
  const count = (slow: boolean) => {
    if (slow === isSlow) return
    isSlow = slow
    slowCalls += slow ? 1 : -1
    announce()
  }
  const timer = setTimeout(() => count(true), SLOW_MS)
  try {
    return await attempt
  } finally {
    clearTimeout(timer)
    count(false)
  }
}

const readConnection = (): Connection => (!navigator.onLine ? 'offline' : slowCalls > 0 ? 'slow' : 'online')

export const useConnection = (): Connection => useSyncExternalStore(subscribe, readConnection)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  for (const event of ['online', 'offline']) addEventListener(event, listener)
  return () => {
    listeners.delete(listener)
    for (const event of ['online', 'offline']) removeEventListener(event, listener)
  }
}
