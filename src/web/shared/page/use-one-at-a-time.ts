import { useCallback, useRef, useState } from 'react'

/**
 * Runs one action at a time: a second tap while the first runs does nothing. The ref changes at once, React state only
 * with the next render, and two taps can come before that.
 */
export function useOneAtATime() {
  const isRunning = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const run = useCallback(async (work: () => Promise<void>): Promise<void> => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    try {
      await work()
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }, [])
  return { isBusy, run }
}
