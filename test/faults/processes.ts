import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const SERVER = join(import.meta.dirname, '../../src/server')

/** One of the product's own processes: killed, it is started again at once, as `npm start` does. */
export function keepProcess(name: 'api' | 'worker', env: Record<string, string>, logPath: string) {
  let isStopping = false
  let child = start()
  process.once('exit', () => child.kill('SIGKILL'))

  function start(): ChildProcess {
    const log = openSync(logPath, 'a')
    // Told that npm started it, a process ends when its parent does, even by kill −9.
    const own = { ...env, npm_lifecycle_event: 'faults', PATH: process.env['PATH'] ?? '' }
    const fresh = spawn(process.execPath, [join(SERVER, 'main.ts'), name], { env: own, stdio: ['ignore', log, log] })
    fresh.once('exit', () => {
      if (!isStopping) child = start()
    })
    return fresh
  }

  return {
    kill: () => void child.kill('SIGKILL'),
    /** An orderly end, and a new one in its place. */
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

/** Runs one of the helpers of the kill tests until it ends, or until somebody kills it. */
export function runHelper(file: string, args: string[], env: Record<string, string>) {
  const path = join(SERVER, 'testing', file)
  const child = spawn(process.execPath, [path, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  return {
    said: (text: string) =>
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
