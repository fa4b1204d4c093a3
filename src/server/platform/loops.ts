import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from './log.ts'

/** Work that never ends: run, rest, run again. It may run in several processes at once without harm. */
export type Loop = { name: string; restMs: number; run(): Promise<void> }

const FAILURE_REST_MS_MAX = 10_000

/** Keeps loops running. One that fails rests longer each time, and says so once, until it works again. */
export function startLoops(loops: Loop[], log: Log): { stop(): Promise<void> } {
  const ending = new AbortController()
  const ended = loops.map((loop) => keepRunning(loop, log, ending.signal))
  return {
    async stop() {
      ending.abort()
      await Promise.all(ended)
    },
  }
}

async function keepRunning({ name, restMs, run }: Loop, log: Log, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      await run()
      if (failures > 0) log.info({ loop: name }, 'works again')
      failures = 0
    } catch (error) {
      if (failures++ === 0) log.error({ loop: name, err: error }, 'loop failed')
    }
    const rest = failures === 0 ? restMs : Math.min(FAILURE_REST_MS_MAX, restMs * 2 ** failures)
    await sleep(rest, undefined, { signal }).catch(() => {})
  }
}
