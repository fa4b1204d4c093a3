import { fromKysely, PgBoss } from 'pg-boss'
import type { Tx } from './db.ts'
import type { Log } from './log.ts'

/** A job's work. It may run twice without harm, and at any later time. */
export type Job = {
  name: string
  /** A cron line in UTC; jobs without one run when enqueued. */
  cron?: string
  run(data: unknown): Promise<void>
}

const SCHEMA = 'pgboss'

export type Jobs = {
  /** Enqueued in the transaction that causes it: no commit, no job. `once` collapses jobs of one key that wait. */
  enqueue(tx: Tx, name: string, data?: object, options?: { once?: string; afterSeconds?: number }): Promise<void>
  /** Creates the queues and works them off until `stop`. */
  work(jobs: Job[]): Promise<void>
  stop(): Promise<void>
}

export async function startJobs(databaseUrl: string, log: Log): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: SCHEMA,
    migrate: false,
    createSchema: false,
    max: 4,
  })
  boss.on('error', (error) => log.warn({ error: error.message }, 'job queue'))
  await boss.start()

  async function work(jobs: Job[]): Promise<void> {
    for (const job of jobs) {
      await boss.createQueue(job.name, { retryLimit: 5, retryBackoff: true, expireInSeconds: 3_600 })
      await boss.work(job.name, { pollingIntervalSeconds: 1 }, async (batch) => {
        for (const { data, id } of batch) {
          log.debug({ job: job.name, id }, 'job')
          await job.run(data)
        }
      })
      if (job.cron) await boss.schedule(job.name, job.cron, {}, { tz: 'UTC' })
    }
  }

  return {
    async enqueue(tx, name, data = {}, { once, afterSeconds } = {}) {
      await boss.send(name, data, {
        db: fromKysely(tx),
        ...(once && { singletonKey: once }),
        ...(afterSeconds && { startAfter: afterSeconds }),
      })
    },
    work,
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  }
}
