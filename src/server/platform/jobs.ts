import { sql } from 'kysely'
import pg from 'pg'
import { clientFor } from './database-hosts.ts'
import { connectionSettings, type Db, surviveDisconnects } from './db.ts'
import type { Loop } from './loops.ts'
import { endSilentConnections } from './silence.ts'

/**
 * Scheduled work, done by one worker at a time. It must be safe to run twice: a crash can happen between the work and
 * the record of it.
 */
export type Job = {
  name: string
  /** Runs once in every period of this length. Periods are aligned to UTC: an hourly one starts on the hour. */
  everyMs: number
  /** Offset of the start of each period. */
  atMs?: number
  /** Until this is true, the worker leaves the job to others and holds no lock. */
  isReady?(): boolean
  run(): Promise<void>
}

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS

/** Timers stop while a machine sleeps, so the database's clock is read at least this often. */
const REST_MS_MAX = MINUTE_MS
const LOCKED_REST_MS = 1_000
/** Each statement of this connection reads or writes one row of `jobs`, or takes a lock without waiting. */
const STATEMENT_MS_MAX = 5_000
/** If a worker's machine disappears, its locks are released within half a minute. */
const KEEPALIVE = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3'

/**
 * Turns jobs into loops. A job is due if no worker has finished it since its period began, by the database's clock. So
 * a job that was missed is due at the next start, and a job that failed stays due until it succeeds.
 */
export function createSchedule(databaseUrl: string) {
  // One connection without idle timeout: it holds the advisory locks, and the server releases them when it ends.
  const session = surviveDisconnects(
    new pg.Pool({
      ...connectionSettings(databaseUrl),
      Client: clientFor(databaseUrl),
      max: 1,
      idleTimeoutMillis: 0,
      statement_timeout: STATEMENT_MS_MAX,
      options: KEEPALIVE,
    }),
  )
  endSilentConnections(session, STATEMENT_MS_MAX)

  /** Returns how many milliseconds to wait before the next check. */
  async function runIfDue(job: Job): Promise<number> {
    if (job.isReady && !job.isReady()) return LOCKED_REST_MS
    const period = await readPeriod(session, job)
    if (!period.is_due) return Math.min(period.wait_ms, REST_MS_MAX)
    if (!(await tryLock(session, job.name))) return LOCKED_REST_MS
    try {
      // Another worker may have run it between our check and our lock.
      const { is_due, began_at } = await readPeriod(session, job)
      if (is_due) {
        await job.run()
        await session.query('update jobs set ran_at = $2 where name = $1', [job.name, began_at])
      }
    } finally {
      await unlock(session, job.name)
    }
    return 0
  }

  return {
    loopOf(job: Job): Loop {
      let waitMs = 0
      const run = async () => {
        waitMs = await runIfDue(job)
      }
      return { name: job.name, restMs: () => waitMs, run }
    },
    close: () => session.end(),
  }
}

/** Makes a job due now, so that a worker runs it at its next check. */
export async function makeDue(db: Db, name: string): Promise<void> {
  await sql`update jobs set ran_at = '-infinity' where name = ${name}`.execute(db)
}

type Period = { is_due: boolean; began_at: Date; wait_ms: number }

async function readPeriod(session: pg.Pool, job: Omit<Job, 'run' | 'isReady'>): Promise<Period> {
  const { name, everyMs, atMs = 0 } = job
  const { rows } = await session.query<Period>(
    `select ran_at < began_at as is_due, began_at,
            ceil(extract(epoch from began_at + length - clock_timestamp()) * 1000)::float8 as wait_ms
     from jobs, make_interval(secs => $2 / 1000.0) as length,
          date_bin(length, clock_timestamp(), timestamptz 'epoch' + make_interval(secs => $3 / 1000.0)) as began_at
     where name = $1`,
    [name, everyMs, atMs],
  )
  if (rows[0]) return rows[0]
  // A new job has missed nothing: its first run is in the next period.
  await session.query('insert into jobs (name, ran_at) values ($1, clock_timestamp()) on conflict do nothing', [name])
  return readPeriod(session, job)
}

const LOCK_KEY = `hashtextextended('job ' || $1, 0)`

async function tryLock(session: pg.Pool, name: string): Promise<boolean> {
  const text = `select pg_try_advisory_lock(${LOCK_KEY}) as is_locked`
  return (await session.query<{ is_locked: boolean }>(text, [name])).rows[0]?.is_locked ?? false
}

const unlock = (session: pg.Pool, name: string) => session.query(`select pg_advisory_unlock(${LOCK_KEY})`, [name])
