import { setTimeout as sleep } from 'node:timers/promises'
import { createContext } from '../context.ts'
import { seedLoops } from '../features/colour/runner.ts'
import type { Config } from '../platform/config.ts'
import { startLoops } from '../platform/loops.ts'

const STOP_MS_MAX = 9_000

/**
 * Opens the rounds of the colour game, binds their blocks and reveals their seeds. Its login can do nothing else: it
 * posts no money, and the processes that do cannot draw.
 */
export async function startSeeds(config: Config) {
  const { context, close } = createContext(config, 'seeds')
  const loops = startLoops(seedLoops(context), context.log)
  async function finish(): Promise<void> {
    await loops.stop()
    await close()
  }
  // Every step is a transaction, so a step that waits for the chain node can be abandoned.
  return { stop: () => Promise.race([finish(), sleep(STOP_MS_MAX, undefined, { ref: false })]) }
}
