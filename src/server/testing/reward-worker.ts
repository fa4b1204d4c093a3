import { createContext } from '../context.ts'
import { payDeferred } from '../features/rewards/deferred.ts'
import { matureLots } from '../features/rewards/maturity.ts'
import { runDailyRewards } from '../features/rewards/run.ts'
import { readConfig } from '../platform/config.ts'

/**
 * A separate process that does the nightly work in small chunks, prints a line after each, and exits. A test starts it
 * with its settings and a fixed time, and kills it at any point.
 */
const [, , now = '', chunkUsers = '50'] = process.argv
const clock = { now: () => new Date(now) }
const { context, close } = createContext(readConfig(), 'reward-worker', clock)
process.stdout.write('ready\n')
await payDeferred(context.db)
const onChunk = async () => void process.stdout.write('chunk\n')
await runDailyRewards(context, { chunkUsers: Number(chunkUsers), onChunk })
await matureLots(context)
process.stdout.write('done\n')
await close()
