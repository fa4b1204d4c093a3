import type { Scene } from './scene.ts'
import { exitSequences } from './sequences-exits.ts'
import { payoutSequences } from './sequences-payouts.ts'
import { rootSequences } from './sequences-roots.ts'

type Sequence = (scene: Scene) => Promise<void>

/** Attacks and mishaps, each with what must come of it. */
export const sequences: [string, Sequence][] = Object.entries({
  ...payoutSequences,
  ...rootSequences,
  ...exitSequences,
})

export function sequenceOf(name: string): Sequence {
  const found = sequences.find((sequence) => sequence[0] === name)
  if (!found) throw new Error(`there is no sequence "${name}"`)
  return found[1]
}
