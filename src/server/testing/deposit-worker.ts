import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { createContext } from '../context.ts'
import { readConfig } from '../platform/config.ts'
import { sweepOnce } from './deposits.ts'

/** The worker's loops for deposit addresses in a separate process, for tests that kill it. Its argument is the settings. */
const [settings = '{}'] = process.argv.slice(2)
const { context } = createContext(readConfig(JSON.parse(settings)), 'deposit-worker')

// Everything is loaded. The test decides when to begin.
flushCompileCache()
process.send?.('ready')
await once(process, 'message')
for (;;) {
  try {
    await sweepOnce(context)
  } catch (error) {
    context.log.error({ err: error }, 'a pass failed')
  }
  await sleep(50)
}
