import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { environmentOf } from '../../src/server/platform/config.ts'
import type { ProcessName } from '../../src/server/platform/settings.ts'

const SERVER = join(import.meta.dirname, '../../src/server')

export type Kept = ReturnType<typeof keepProcess>

/** Runs one of the product's processes and restarts it when it exits, as `npm start` does. */
export function keepProcess(name: ProcessName, settings: Record<string, string>, logPath: string) {
  let isStopping = false
  let child = start()
  process.once('exit', () => child.kill('SIGKILL'))

  function start(): ChildProcess {
    const log = openSync(logPath, 'a')
    // With this variable set, a process exits when its parent dies, even by kill −9.
    const env = { ...environmentOf(name, settings), npm_lifecycle_event: 'faults' }
    const fresh = spawn(process.execPath, [join(SERVER, 'main.ts'), name], { env, stdio: ['ignore', log, log] })
    fresh.once('exit', () => {
      if (!isStopping) child = start()
    })
    return fresh
  }

  return {
    kill: () => void child.kill('SIGKILL'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    /** Stops the process with SIGTERM. A new one starts in its place. */
    async restart(): Promise<void> {
      const old = child
      old.kill('SIGTERM')
      await Promise.race([once(old, 'exit'), sleep(10_000)])
      old.kill('SIGKILL')
    },
    async stop(): Promise<void> {
      isStopping = true
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

/** Runs a helper script of the kill tests until it exits or is killed. */
export function runHelper(file: string, args: string[], env: Record<string, string>) {
  const path = join(SERVER, 'testing', file)
  const child = spawn(process.execPath, [path, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  return {
    printed: (text: string) =>
      new Promise<void>((resolve) => {
        child.stdout.on('data', (chunk: Buffer) => {
          if (chunk.includes(text)) resolve()
        })
        child.once('exit', () => resolve())
      }),
    ended: once(child, 'exit').then(([code]) => code as number | null),
    kill: () => void child.kill('SIGKILL'),
  }
}
