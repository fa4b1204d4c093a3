import { type Context, createContext } from './context.ts'
import type { Config } from './platform/config.ts'
import { type Job, startJobs } from './platform/jobs.ts'
import { closeAbandonedGames } from './quiz/handlers.ts'
import { sweepSignIns } from './users/sessions.ts'

/** What runs without anybody asking: scheduled jobs, and later rounds, payouts and the deposit watcher. */
export async function startWorker(config: Config) {
  const { context, close } = createContext(config, 'worker')
  const jobs = await startJobs(config.databaseUrl, context.log)
  await jobs.work(scheduledJobs(context))
  return {
    async stop(): Promise<void> {
      await jobs.stop()
      await close()
    },
  }
}

const scheduledJobs = (context: Context): Job[] => [
  { name: 'sweep-sign-ins', cron: '*/10 * * * *', run: () => sweepSignIns(context.db) },
  { name: 'close-quiz-games', cron: '*/5 * * * *', run: () => closeAbandonedGames(context) },
]
