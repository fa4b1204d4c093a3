import { setTimeout as sleep } from 'node:timers/promises'

/** Counts calls by key, in windows of one minute. */
export type RateCounter = {
  /**
   * Adds one call. Returns its number in this window and when the window ends. `block`: how many numbers are taken from
   * the shared counts at once.
   */
  add(key: string, max: number, block?: number): Promise<Counted>
}
type Counted = { calls: number; resetsInMs: number }

/** Adds calls to counts that several processes share. Returns the calls in each window, these included. */
export type ShareCounts = (asked: { key: string; calls: number }[]) => Promise<Counted[]>

type Options = { keysMax?: number; nowMs?: () => number; share?: ShareCounts }

const WINDOW_MS = 60_000
const KEYS_MAX = 100_000
/** Shared counts that do not answer in this time are not waited for. */
const ANSWER_MS_MAX = 5_000
/** Calls that arrive so soon after a query share the next one. */
const GATHER_MS = 10
/** After a failure, this process counts alone for so long. */
const ALONE_MS = 1_000

/**
 * Counts in memory and, with `share`, together with other processes: each call gets a number that no other call in the
 * window has, so the processes together never allow more than one of them would. A process that takes a block of numbers
 * uses them without asking again. Those that it does not use are lost, so with P processes a caller may be refused up to
 * (P − 1) × (block − 1) calls early. While the shared counts are away, each process counts alone.
 *
 * When there are too many keys, the oldest is forgotten. An attacker with that many addresses is not stopped by a limit
 * per address anyway, and no other caller is locked out.
 */
export function createRateCounter({ keysMax = KEYS_MAX, nowMs = Date.now, share }: Options = {}) {
  const windows = createWindows(keysMax, nowMs)
  const ask = share && createQueue(share, windows, nowMs)

  async function add(key: string, max: number, block = 1): Promise<Counted> {
    const known = windows.find(key)
    // A caller who has no number left to get in this window costs no query.
    const isDecided = known !== undefined && (known.unused > 0 || known.calls >= max)
    const given = isDecided ? undefined : await ask?.(key, block)
    if (given) return given
    const window = windows.find(key) ?? windows.open(key, { calls: 0, unused: 0, endsMs: nowMs() + WINDOW_MS })
    window.calls++
    window.unused = Math.max(0, window.unused - 1)
    return { calls: window.calls, resetsInMs: window.endsMs - nowMs() }
  }
  return { add, size: windows.size }
}

/** `calls`: the last number that was used here. `unused`: the numbers after it that belong to this process. */
type Window = { calls: number; unused: number; endsMs: number }
type Windows = ReturnType<typeof createWindows>

function createWindows(keysMax: number, nowMs: () => number) {
  const windows = new Map<string, Window>()
  return {
    find(key: string): Window | undefined {
      const window = windows.get(key)
      return window && window.endsMs > nowMs() ? window : undefined
    },
    open(key: string, window: Window): Window {
      windows.delete(key)
      // The oldest come first. Most of them have ended.
      for (const [old, { endsMs }] of windows) {
        if (endsMs > nowMs() && windows.size < keysMax) break
        windows.delete(old)
      }
      windows.set(key, window)
      return window
    },
    size: () => windows.size,
  }
}

type Waiter = (given: Counted | undefined) => void
type Asked = Map<string, { block: number; waiters: Waiter[] }>

/** Sends one query at a time for all keys that wait. A caller gets undefined if there is no answer. */
function createQueue(share: ShareCounts, windows: Windows, nowMs: () => number) {
  let waiting: Asked = new Map()
  let isRunning = false
  let aloneUntilMs = 0

  async function flush(): Promise<void> {
    while (waiting.size > 0) {
      const asked = [...waiting].filter(([key, { waiters }]) => handOut(windows.find(key), waiters, nowMs()))
      waiting = new Map()
      const sentMs = nowMs()
      const rows = asked.map(([key, { block, waiters }]) => ({ key, calls: Math.max(block, waiters.length) }))
      const counted = aloneUntilMs > sentMs || rows.length === 0 ? undefined : await count(rows)
      for (const [at, [key, { waiters }]] of asked.entries()) {
        const [taken, answer] = [rows[at]?.calls ?? 0, counted?.[at]]
        const block = answer && { calls: answer.calls - taken, unused: taken, endsMs: sentMs + answer.resetsInMs }
        if (block) handOut(windows.open(key, block), waiters, nowMs())
        else for (const waiter of waiters) waiter(undefined)
      }
      if (counted) await sleep(GATHER_MS)
    }
    isRunning = false
  }

  async function count(rows: Parameters<ShareCounts>[0]): Promise<Counted[] | undefined> {
    const answer = share(rows).catch(() => 'failed' as const)
    const counted = await within(ANSWER_MS_MAX, answer)
    if (Array.isArray(counted)) return counted
    // A query that hangs keeps its connection, so the next one is not sent before it has ended.
    aloneUntilMs = counted === 'failed' ? nowMs() + ALONE_MS : Number.POSITIVE_INFINITY
    if (counted === undefined)
      void answer.then(() => {
        aloneUntilMs = 0
      })
    return undefined
  }

  return (key: string, block: number): Promise<Counted | undefined> => {
    if (!isRunning && aloneUntilMs > nowMs()) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const own = waiting.get(key) ?? { block, waiters: [] }
      own.waiters.push(resolve)
      waiting.set(key, own)
      if (isRunning) return
      isRunning = true
      setImmediate(flush)
    })
  }
}

/** Gives waiters the numbers that the window has left. Returns true if some still wait. */
function handOut(window: Window | undefined, waiters: Waiter[], now: number): boolean {
  if (!window) return true
  for (const waiter of waiters.splice(0, window.unused)) {
    window.unused--
    waiter({ calls: ++window.calls, resetsInMs: window.endsMs - now })
  }
  return waiters.length > 0
}

/** The result, or undefined if it takes longer. */
function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, ms, undefined)
    void work.then((result) => {
      clearTimeout(late)
      resolve(result)
    })
  })
}
