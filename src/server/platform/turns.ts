import { busy } from './waiting.ts'

const PER_TURN = 2
const WAITING_MAX = 5_000

/**
 * Lets two callers continue in each turn of the event loop, in order of arrival. A process that answers hundreds of
 * cheap calls at once would otherwise answer all of them between two steps of any other call.
 */
export function createTurns() {
  const waiting: (() => void)[] = []

  function next(): void {
    for (const go of waiting.splice(0, PER_TURN)) go()
    if (waiting.length > 0) setImmediate(next)
  }

  return (): Promise<void> => {
    if (waiting.length >= WAITING_MAX) throw busy()
    return new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next)
    })
  }
}
