import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, closeSync, fchmodSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'

export type Child = {
  /** Of the guard, which is the parent of the process. */
  pid: number | undefined
  /** Resolves with the exit code when the process has ended; never rejects. */
  exited: Promise<number>
  running: () => boolean
  stop: (timeoutMs?: number) => Promise<void>
}

type ChildOptions = {
  command: string
  args: string[]
  cwd?: string
  env?: Record<string, string | undefined>
  user?: { uid: number; gid: number } | undefined
  signal: 'INT' | 'TERM' | 'KILL'
  output: number | 'inherit'
}

// The pipe on descriptor 3 closes when we close it or die, even by kill −9. The guard then signals the child. The child
// has its own session, so that Ctrl-C in the terminal does not reach it and we decide the order in which things stop.
const GUARD = `signal=$1; shift
"$@" 3<&- & child=$!
{ cat <&3 >/dev/null; kill -s "$signal" "$child" 2>/dev/null; } &
exec 3<&-
wait "$child"`

/** Starts a process that gets the signal on `stop`, and also when this process dies for any reason. */
export function startChild({ command, args, cwd = '/', env, user, signal, output }: ChildOptions): Child {
  const child: ChildProcess = spawn('/bin/sh', ['-c', GUARD, 'guard', signal, command, ...args], {
    cwd,
    detached: true,
    stdio: ['ignore', output, output, 'pipe'],
    ...(env && { env }),
    ...user,
  })
  const pipe = child.stdio[3]
  pipe?.on('error', () => {})
  const exited = new Promise<number>((resolve) => {
    child.once('error', () => resolve(127))
    child.once('exit', (code) => resolve(code ?? 1))
  }).finally(() => pipe?.destroy())
  let running = true
  void exited.then(() => {
    running = false
  })
  return {
    pid: child.pid,
    exited,
    running: () => running,
    stop: (timeoutMs = 20_000) => stop(child, exited, timeoutMs),
  }
}

async function stop(child: ChildProcess, exited: Promise<number>, timeoutMs: number): Promise<void> {
  child.stdio[3]?.destroy()
  const timer = setTimeout(() => {
    if (child.pid) killGroup(child.pid)
  }, timeoutMs)
  await exited
  clearTimeout(timer)
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It exited between the timer and the signal.
  }
}

const LOG_BYTES_MAX = 10_000_000
const OWNER_ONLY = 0o600

/**
 * Opens a log file for appending and passes it to `use`. A file that is too large is first renamed to `.old`. Only its
 * owner can read it, even if an earlier version created it readable for everyone.
 */
export function withLogFile<Result>(path: string, use: (descriptor: number) => Result): Result {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_BYTES_MAX) {
    chmodSync(path, OWNER_ONLY)
    renameSync(path, `${path}.old`)
  }
  const descriptor = openSync(path, 'a', OWNER_ONLY)
  try {
    fchmodSync(descriptor, OWNER_ONLY)
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export function lastLines(path: string, count: number): string {
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-count).join('\n')
}
