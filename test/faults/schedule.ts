/** A seeded pseudo-random generator (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** An integer from 0 to `limit` - 1. */
  const below = (limit: number): number => Math.floor(next() * limit)
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  return { below, pick }
}
export type Random = ReturnType<typeof createRandom>

/** How often each fault occurs per hundred. Faults that kill a process take seconds, the others almost nothing. */
const perHundred = {
  /** The reply is lost. The client retries with the same key, possibly on another process. */
  'lost-answer': 17,
  /** The same call two to five times at once, on both processes. */
  'repeated-call': 13,
  /** Fifty identical spends at once. */
  storm: 3,
  /** A used key with another amount. */
  'reused-key': 7,
  /** The database terminates connections of the application during their work. */
  'cut-connections': 13,
  /** The node times out or returns 500, 429, cut JSON, a wrong chain id, no logs, or an error after sending. */
  'bad-node': 17,
  /** The chain node is down for a while. */
  'node-down': 4,
  /** The latest blocks are replaced. Their transactions are dropped or mined again in another order. */
  reorg: 8,
  /** kill −9 during money calls. */
  'kill-api': 4,
  'kill-worker': 3,
  /** The worker dies between reserve, sign, store, broadcast and settle. */
  'kill-payout-step': 3,
  /** The payer's key is used elsewhere: another transaction takes the nonce of a payout that is on its way. */
  'taken-nonce': 3,
  /** The publisher cannot pay for its transactions for a while. */
  'publisher-down': 1,
  'kill-postgres': 2,
  /** SIGTERM to each process in turn, under load. */
  'rolling-restart': 1,
  /** The clock jumps past midnight, and the nightly run is killed midway. */
  midnight: 1,
} as const

export type FaultKind = keyof typeof perHundred
export type OperationKind = 'transfer' | 'withdraw' | 'bet-in' | 'bet-out' | 'bet' | 'plan' | 'deposit'
/** An operation to run during a fault. Its random numbers are drawn up front, so they depend only on the seed. */
export type Planned = { kind: OperationKind; user: number; other: number; draw: number }
export type Fault = { number: number; kind: FaultKind; draw: number; delayMs: number; operations: Planned[] }

const operationKinds: OperationKind[] = [
  ...Array<OperationKind>(6).fill('transfer'),
  ...Array<OperationKind>(3).fill('withdraw'),
  ...Array<OperationKind>(3).fill('bet-in'),
  ...Array<OperationKind>(2).fill('bet'),
  'bet-out',
  'plan',
  'plan',
  'deposit',
]
export const USERS = 6

/** The same seed and count give the same faults with the same calls in the same order. */
export function createSchedule(seed: number, count: number): Fault[] {
  const random = createRandom(seed)
  const kinds = Object.entries(perHundred).flatMap(([kind, share]) => Array<FaultKind>(share).fill(kind as FaultKind))
  const faults: Fault[] = []
  // One of each kind comes first, so that a short run has them all.
  let waiting = shuffled(Object.keys(perHundred) as FaultKind[], random)
  while (faults.length < count) {
    if (waiting.length === 0) waiting = shuffled(kinds, random)
    const kind = waiting.pop() ?? 'lost-answer'
    const operations = Array.from({ length: 2 + random.below(3) }, () => plan(random))
    faults.push({
      number: faults.length + 1,
      kind,
      draw: random.below(2 ** 31),
      delayMs: random.below(120),
      operations,
    })
  }
  return faults
}

export function plan(random: Random): Planned {
  const user = random.below(USERS)
  const other = (user + 1 + random.below(USERS - 1)) % USERS
  return { kind: random.pick(operationKinds), user, other, draw: random.below(2 ** 31) }
}

export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const left = [...items]
  return items.map(() => left.splice(random.below(left.length), 1)[0] as Item)
}
