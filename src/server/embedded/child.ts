import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'

export type Child = {
  /** The exit code, once the process is gone; never rejects. */
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

// The pipe on descriptor 3 ends when we close it or die, even by kill −9; the guard then signals the child. A session
// of its own keeps the terminal's Ctrl-C from the child, so that everything stops in our order.
const GUARD = `signal=$1; shift
"$@" 3<&- & child=$!
{ cat <&3 >/dev/null; kill -s "$signal" "$child" 2>/dev/null; } &
exec 3<&-
wait "$child"`

/** Starts a process that is signalled when it is stopped and also when this process dies in whatever way. */
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
  return { exited, running: () => running, stop: (timeoutMs = 20_000) => stop(child, exited, timeoutMs) }
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
    // It ended between the timer and the signal.
  }
}

const LOG_BYTES_MAX = 10_000_000

/** Hands an appended log file to `use`, keeping one older file once it has grown. */
export function withLogFile<Result>(path: string, use: (descriptor: number) => Result): Result {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_BYTES_MAX) renameSync(path, `${path}.old`)
  const descriptor = openSync(path, 'a')
  try {
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export function lastLines(path: string, count: number): string {
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-count).join('\n')
}
