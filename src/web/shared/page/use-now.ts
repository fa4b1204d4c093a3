import { useEffect, useState } from 'react'

/** Timers can fire a little early. Without this, the countdown would still show the old second. */
const LATE_MS = 10

/** The time of this device, updated every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** The time of this device, updated whenever a countdown to `endMs` reaches a new second, and at its end. */
export function useSeconds(endMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      const leftMs = endMs - Date.now()
      timer = setTimeout(tick, (((leftMs % 1_000) + 1_000) % 1_000) + LATE_MS)
    }
    const tick = () => {
      setNow(Date.now())
      wait()
    }
    wait()
    return () => clearTimeout(timer)
  }, [endMs])
  return now
}
