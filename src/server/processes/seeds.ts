import { createContext } from '../context.ts'
import { seedLoops } from '../features/colour/runner.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { startMonitoring } from '../platform/health.ts'
import { STATEMENT_MS_MAX } from '../platform/login-limits.ts'
import { startLoops } from '../platform/loops.ts'
import { startTracing } from '../platform/tracing.ts'
import { readinessChecks } from './readiness.ts'

/**
 * Opens the rounds of the colour game, binds their blocks and reveals their seeds. Its login can do nothing else: it
 * posts no money, and the processes that do cannot draw.
 */
export async function startSeeds(config: Config) {
  const tracing = await startTracing(config.collectorUrl, 'seeds')
  const { context, close } = createContext(config, 'seeds', systemClock, { statementMs: STATEMENT_MS_MAX.seeds })
  let isStopping = false
  const checks = readinessChecks(context.db, () => isStopping)
  const monitoring = await startMonitoring(context.log, { address: config.metrics, checks })
  const loops = startLoops(seedLoops(context), context.log)
  return {
    async stop(): Promise<void> {
      isStopping = true
      await loops.stop()
      await monitoring?.close()
      await close()
      await tracing.stop()
    },
  }
}
