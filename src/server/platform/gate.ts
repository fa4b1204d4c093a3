import { AppError } from '../../protocol/errors.ts'

export type GateLimits = {
  inFlightMax: number
  waitingPerCallerMax: number
  waitingMax: number
  waitingMsMax: number
}
export type Gate = ReturnType<typeof createGate>

/**
 * Runs one piece of work per caller at a time, and only so many for all callers. Others wait in a queue that is bounded in
 * length and time. A caller that waited too long gets a plain error: only the owner of the work knows why it is slow.
 */
export function createGate({ inFlightMax, waitingPerCallerMax, waitingMax, waitingMsMax }: GateLimits) {
  const inFlight = new Set<string>()
  const waiting: { caller: string; start: () => void }[] = []

  function startNext(): void {
    const at = waiting.findIndex(({ caller }) => !inFlight.has(caller))
    const [next] = at >= 0 && inFlight.size < inFlightMax ? waiting.splice(at, 1) : []
    if (!next) return
    inFlight.add(next.caller)
    next.start()
  }

  return async <Result>(caller: string, work: () => Promise<Result>): Promise<Result> => {
    const own = waiting.filter((other) => other.caller === caller)
    if (own.length >= waitingPerCallerMax || waiting.length >= waitingMax)
      throw new AppError('rate_limited', 'Too many requests. Wait a moment.', undefined, 1)
    await new Promise<void>((start, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(waiter), 1)
        reject(new Error('the work before this took too long'))
      }, waitingMsMax).unref()
      const waiter = {
        caller,
        start() {
          clearTimeout(timer)
          start()
        },
      }
      waiting.push(waiter)
      startNext()
    })
    try {
      return await work()
    } finally {
      inFlight.delete(caller)
      startNext()
    }
  }
}
