import { createContext } from '../context.ts'
import { seedLoops } from '../features/colour/runner.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { startLoops } from '../platform/loops.ts'

/** Its statements are short. A round must not wait for a lost connection. */
const STATEMENT_MS_MAX = 10_000

/**
 * Opens the rounds of the colour game, binds their blocks and reveals their seeds. Its login can do nothing else: it
 * posts no money, and the processes that do cannot draw.
 */
export async function startSeeds(config: Config) {
  const { context, close } = createContext(config, 'seeds', systemClock, { statementMs: STATEMENT_MS_MAX })
  const loops = startLoops(seedLoops(context), context.log)
  return {
    async stop(): Promise<void> {
      await loops.stop()
      await close()
    },
  }
}
