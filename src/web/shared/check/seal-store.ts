import { useSyncExternalStore } from 'react'
import type { Report } from './report.ts'

/** The last check of this page load. The header, the landing page and the sheet show the same one. */
type State = { report: Report | undefined; isChecking: boolean }

let state: State = { report: undefined, isChecking: false }
const listeners = new Set<() => void>()

function change(next: State): void {
  state = next
  for (const listener of listeners) listener()
}

export const useSeal = (): State =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )

/** Runs the check, unless it is running. Its code is loaded now, because most pages never need it. */
export async function runCheck(): Promise<void> {
  if (state.isChecking) return
  change({ ...state, isChecking: true })
  const report = await import('./check-us.ts').then(({ checkUs }) => checkUs()).catch(() => undefined)
  change({ report, isChecking: false })
}
