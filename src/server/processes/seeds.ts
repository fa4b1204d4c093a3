import { createContext } from '../context.ts'
import { seedLoops } from '../features/colour/runner.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { STATEMENT_MS_MAX } from '../platform/login-limits.ts'
import { startLoops } from '../platform/loops.ts'

/**
 * Opens the rounds of the colour game, binds their blocks and reveals their seeds. Its login can do nothing else: it
 * posts no money, and the processes that do cannot draw.
 */
export async function startSeeds(config: Config) {
  const { context, close } = createContext(config, 'seeds', systemClock, STATEMENT_MS_MAX.seeds)
  const loops = startLoops(seedLoops(context), context.log)
  return {
    async stop(): Promise<void> {
      await loops.stop()
      await close()
    },
  }
}
