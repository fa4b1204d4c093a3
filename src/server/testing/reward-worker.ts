import { createContext } from '../context.ts'
import { payDeferred } from '../features/rewards/deferred.ts'
import { matureLots } from '../features/rewards/maturity.ts'
import { runDailyRewards } from '../features/rewards/run.ts'
import { readConfig } from '../platform/config.ts'

/**
 * A process of its own that does the night's work in small pieces, says so after each, and ends. A test starts it with
 * the settings it needs and the time it is to believe, and kills it wherever it likes.
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
