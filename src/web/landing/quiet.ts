import { loadCalls } from '../shared/api/load-calls.ts'

const QUIET_MS = 1_500

/** The pictures of the first screen move for 1.4 s. On a slow phone, code that is loaded meanwhile makes them stutter. */
const quiet = new Promise<void>((resolve) => setTimeout(resolve, QUIET_MS))

/** Loads what calls the API once the first screen is quiet. */
export async function loadCallsLater(): Promise<void> {
  await quiet
  await loadCalls()
}
