import { play, type Scene } from './scene.ts'
import { exitSequences } from './sequences-exits.ts'
import { payoutSequences } from './sequences-payouts.ts'
import { rootSequences } from './sequences-roots.ts'
import type { Ground } from './world.ts'

type Sequence = (scene: Scene) => Promise<void>

/** Attacks and mishaps, each with what must come of it. */
export const sequences: [string, Sequence][] = Object.entries({
  ...payoutSequences,
  ...rootSequences,
  ...exitSequences,
})

/** Runs the sequences until one fails with a matching error. */
export async function findFailure(ground: Ground, isMatch = (_error: unknown) => true): Promise<string | undefined> {
  for (const [name, sequence] of sequences) {
    try {
      await play(ground, sequence)
    } catch (error) {
      if (isMatch(error)) return `${name}: ${error}`
    }
  }
  return undefined
}
