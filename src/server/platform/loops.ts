import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, Gauge } from 'prom-client'
import type { Log } from './log.ts'
import { traced } from './tracing.ts'

/** Work that repeats forever: run, rest, run again. Every worker runs it, so it must be safe to run it concurrently. */
export type Loop = { name: string; restMs: number | (() => number); run(): Promise<void> }

const runs = new Counter({
  name: 'wellplay_loop_runs_total',
  help: 'Runs of each loop, by outcome: done or failed',
  labelNames: ['loop', 'outcome'],
})
const lastRun = new Gauge({
  name: 'wellplay_loop_done_timestamp_seconds',
  help: 'When each loop last ran without an error',
  labelNames: ['loop'],
})

const FAILURE_REST_MS_MIN = 250
const FAILURE_REST_MS_MAX = 10_000

/** Keeps loops running. A loop that fails is logged once and retried with exponential backoff. */
export function startLoops(loops: Loop[], log: Log): { stop(): Promise<void> } {
  const ending = new AbortController()
  const ended = loops.map((loop) => keepRunning(loop, log, ending.signal))
  return {
    /** Waits for running work to finish. */
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
      await traced(name, {}, run)
      runs.inc({ loop: name, outcome: 'done' })
      lastRun.setToCurrentTime({ loop: name })
      if (failures > 0) log.info({ loop: name }, 'loop works again')
      failures = 0
    } catch (error) {
      runs.inc({ loop: name, outcome: 'failed' })
      if (failures++ === 0) log.error({ loop: name, err: error }, 'loop failed')
    }
    const ownRest = typeof restMs === 'number' ? restMs : restMs()
    const rest = failures === 0 ? ownRest : Math.min(FAILURE_REST_MS_MAX, FAILURE_REST_MS_MIN * 2 ** failures)
    await sleep(rest, undefined, { signal }).catch(() => {})
  }
}
