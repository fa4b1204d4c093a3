import { useEffect, useSyncExternalStore } from 'react'

/** Whether the page has asked the user to switch to another account, so that the notice about it says nothing. */
let isSwitching = false
const listeners = new Set<() => void>()

function set(value: boolean): void {
  isSwitching = value
  for (const listener of listeners) listener()
}

export const useIsSwitching = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isSwitching,
  )

/** While it is shown, the component that calls this works with other accounts than the session's. */
export function useSwitching(): void {
  useEffect(() => {
    set(true)
    return () => set(false)
  }, [])
}
