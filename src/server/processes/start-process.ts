import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lastLines, startChild, withLogFile } from '../embedded/child.ts'
import { environmentOf } from '../platform/config.ts'
import type { ProcessName } from '../platform/settings.ts'
import { StartError } from '../platform/start-error.ts'

const MAIN = join(import.meta.dirname, '../main.ts')
const RESTART_MS_MIN = 500
const RESTART_MS_MAX = 30_000
/** A process that ran this long was healthy, so its restart delay is reset. */
const STEADY_MS = 60_000
/** One that runs but does not answer for this long hangs. A busy machine may need a minute. */
const HEALTHY_MS_MAX = 180_000

type ProcessOptions = {
  /** All settings. The process gets only those in its list. */
  settings: Record<string, string>
  logFolder: string
  /** Restarts the process when a file that it has loaded changes. */
  watch: boolean
}

/** Runs one of our processes and restarts it automatically when it exits (R21). */
export function startProcess(name: ProcessName, { settings, logFolder, watch }: ProcessOptions) {
  mkdirSync(logFolder, { recursive: true })
  const log = join(logFolder, `${name}.log`)
  const flags = watch ? ['--watch', '--watch-preserve-output'] : []
  let stopping = false
  const start = () =>
    withLogFile(log, (output) =>
      startChild({
        command: process.execPath,
        args: [...flags, MAIN, name],
        cwd: process.cwd(),
        env: environmentOf(name, settings),
        signal: 'TERM',
        output,
      }),
    )
  let child = start()

  async function keep(): Promise<void> {
    let restMs = RESTART_MS_MIN
    while (!stopping) {
      const began = Date.now()
      await child.exited
      if (stopping) return
      restMs = Date.now() - began > STEADY_MS ? RESTART_MS_MIN : Math.min(restMs * 2, RESTART_MS_MAX)
      console.error(`  ${name} exited; restarting in ${restMs / 1000} s (log: ${log})`)
      await sleep(restMs)
      if (!stopping) child = start()
    }
  }
  void keep()

  return {
    async stop(timeoutMs?: number): Promise<void> {
      stopping = true
      await child.stop(timeoutMs)
    },
    async waitUntilHealthy(url: string): Promise<void> {
      const deadline = Date.now() + HEALTHY_MS_MAX
      while (!(await isHealthy(url))) {
        if (!child.running() || Date.now() > deadline)
          throw new StartError(`The ${name} did not start:\n${lastLines(log, 10)}`)
        await sleep(100)
      }
    },
  }
}

const isHealthy = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    (reply) => reply.ok,
    () => false,
  )
