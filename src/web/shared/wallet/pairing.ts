import { useSyncExternalStore } from 'react'

/** A pairing that waits for a wallet: the address to scan or open, and how the user gives up. */
export type Pairing = { uri: string; cancel(): void }

let current: Pairing | undefined
const listeners = new Set<() => void>()

/** Shows the pairing to the user (web/app/pairing-dialog.tsx), or hides it again. */
export function showPairing(pairing: Pairing | undefined): void {
  current = pairing
  for (const listener of listeners) listener()
}

export const usePairing = (): Pairing | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
