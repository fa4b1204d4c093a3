import { createRandom, shuffled } from '../faults/schedule.ts'

const manners = ['kill', 'freeze', 'cut'] as const
const targets = ['primary', 'standby', 'api', 'worker'] as const
export type Manner = (typeof manners)[number]
type Target = (typeof targets)[number]
/**
 * `retry`: both standbys are frozen, a commit waits for them, its connection is cut, and the caller repeats the call with
 * the same key. Then the primary is killed, and a standby takes over that never had the first commit.
 */
export type Blow = { manner: Manner; target: Target } | 'retry'
export type Fault = { number: number; blow: Blow /** Which API or worker. */; which: number; holdMs: number }

const HOLD_MS = { min: 1_000, max: 8_000 }
const pairs: Blow[] = manners.flatMap((manner) => targets.map((target) => ({ manner, target })))

/** The same seed gives the same faults in the same order. Thirteen in a row have every kind, and the retry is first. */
export function createSchedule(seed: number, count: number): Fault[] {
  const random = createRandom(seed)
  const blows: Blow[] = []
  while (blows.length < count) blows.push('retry', ...shuffled(pairs, random))
  return blows.slice(0, count).map((blow, at) => ({
    number: at + 1,
    blow,
    which: random.below(2),
    holdMs: HOLD_MS.min + random.below(HOLD_MS.max - HOLD_MS.min),
  }))
}

export const nameOf = (blow: Blow): string =>
  blow === 'retry' ? 'frozen standbys, then a retry' : `${blow.manner} ${blow.target}`
