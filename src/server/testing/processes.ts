import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { environmentOf, environmentWith, readLocalSettings } from '../platform/config.ts'
import type { ProcessName } from '../platform/settings.ts'

const MAIN = join(import.meta.dirname, '../main.ts')

export type Spawned = ReturnType<typeof spawnCommand>

/** One of our processes, started as in production: a clean environment with its own settings. */
export const spawnProcess = (name: ProcessName, settings: Record<string, string>) =>
  spawnCommand([name], environmentOf(name, settings))

/** Any command of main.ts, with exactly these settings, and with the PostgreSQL that the tests use. */
export function spawnWith(args: string[], settings: Record<string, string>) {
  const { postgresBin } = readLocalSettings()
  return spawnCommand(args, environmentWith({ ...(postgresBin && { POSTGRES_BIN: postgresBin }), ...settings }))
}

// Without the cache of the tests' own helpers: main.ts chooses a folder for each command.
function spawnCommand(args: string[], { NODE_COMPILE_CACHE: _, ...env }: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      output += bytes
    })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    child,
    ended,
    output: () => output,
    /** Sends SIGTERM and returns the exit code when the process has ended. */
    stop(): Promise<number | null> {
      child.kill('SIGTERM')
      return ended
    },
  }
}

export function childrenOf(...parents: number[]): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const all = rows.map((row) => row.trim().split(/\s+/).map(Number))
  return all.flatMap(([pid = 0, parent = 0]) => (parents.includes(parent) ? [pid] : []))
}

/** A process and all its descendants. */
export function familyOf({ pid: root }: Pick<ChildProcess, 'pid'>): number[] {
  const family: number[] = []
  for (let young = root ? [root] : []; young.length > 0; young = childrenOf(...young)) family.push(...young)
  return family
}

/**
 * Kills a process and all its descendants at once: each is frozen before its children are listed, so none starts another.
 * One that has exited is left alone, because its pid may belong to another process by now.
 */
export function killFamily({ pid: root, exitCode, signalCode }: ChildProcess): number[] {
  const family: number[] = []
  const isRunning = root !== undefined && exitCode === null && signalCode === null
  for (let young = isRunning ? [root] : []; young.length > 0; young = childrenOf(...young)) {
    signalAll(young, 'SIGSTOP')
    family.push(...young)
  }
  killAll(family)
  return family
}

/** Those of these processes that still run. */
export const stillRunning = (pids: number[]): number[] =>
  pids.filter((pid) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  })

export const killAll = (pids: number[]): void => signalAll(pids, 'SIGKILL')

export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids.filter((each) => each > 1))
    try {
      process.kill(pid, signal)
    } catch {
      // It has already exited.
    }
}
