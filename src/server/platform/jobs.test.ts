import type pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createOwnerPool, createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createSchedule, HOUR_MS, type Job, MINUTE_MS } from './jobs.ts'

/** A period that began in 1970 and lasts for centuries, so that no period ends during a test. */
const PERIOD_MS = 100_000 * 24 * HOUR_MS

let database: TestDatabase
let owner: pg.Pool
/** Like two worker processes: each holds its locks on its own connection. */
let workers: ReturnType<typeof createSchedule>[]

beforeAll(async () => {
  database = await createTestDatabase()
  owner = createOwnerPool(database.ownerUrl)
  workers = [createSchedule(database.appUrl), createSchedule(database.appUrl)]
})
afterEach(() => owner.query('delete from jobs'))
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.close()))
  await owner.end()
  await database.drop()
})

/** The same job in both workers. */
const loopsOf = (job: Job) => {
  const [first, second] = workers.map((worker) => worker.loopOf(job))
  if (!first || !second) throw new Error('expected two workers')
  return [first, second] as const
}
const setLastRun = (name: string, at: Date) =>
  owner.query('insert into jobs values ($1, $2) on conflict (name) do update set ran_at = $2', [name, at])
const missed = (name: string) => setLastRun(name, new Date('1969-12-31'))

/** A job that runs until the test lets it end. */
function aSlowJob(name: string) {
  const [started, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const runs: number[] = []
  const run = async () => {
    runs.push(runs.length + 1)
    started.resolve()
    await mayEnd.promise
  }
  return { job: { name, everyMs: PERIOD_MS, run }, runs, started: started.promise, end: () => mayEnd.resolve() }
}

test('a worker that is not ready for a job leaves it to others', async () => {
  const ran: string[] = []
  let isReady = false
  const jobOf = (worker: string): Job => ({
    name: 'later',
    everyMs: PERIOD_MS,
    isReady: () => worker === 'ready' || isReady,
    run: async () => void ran.push(worker),
  })
  const [early, ready] = [loopsOf(jobOf('early'))[0], loopsOf(jobOf('ready'))[1]]
  await missed('later')
  await early.run()
  expect(ran).toEqual([])
  await ready.run()
  await missed('later')
  isReady = true
  await early.run()
  expect(ran).toEqual(['ready', 'early'])
})

test('only one worker at a time runs a job, and a finished job is not due for the other', async () => {
  const { job, runs, started, end } = aSlowJob('slow')
  const [first, second] = loopsOf(job)
  await missed('slow')
  const running = first.run()
  await started
  await second.run()
  expect(runs).toHaveLength(1)
  end()
  await running
  await Promise.all([first.run(), second.run()])
  expect(runs).toHaveLength(1)
})

test('when two workers start together, only one runs a due job', async () => {
  let runs = 0
  const [first, second] = loopsOf({ name: 'both', everyMs: PERIOD_MS, run: async () => void runs++ })
  for (let round = 1; round <= 20; round++) {
    await missed('both')
    await Promise.all([first.run(), second.run()])
    expect(runs).toBe(round)
  }
})

test('a job missed while no worker was running runs at the next start; a new job waits for its next period', async () => {
  let runs = 0
  const job = { name: 'nightly', everyMs: PERIOD_MS, run: async () => void runs++ }
  const [first] = loopsOf(job)
  await first.run()
  expect(runs).toBe(0)
  await missed('nightly')
  await first.run()
  expect(runs).toBe(1)
  await first.run()
  expect(runs).toBe(1)
})

test('an hourly period starts on the hour in UTC, plus the offset of the job', async () => {
  let runs = 0
  const atMs = 5 * MINUTE_MS
  const [loop] = loopsOf({ name: 'hourly', everyMs: HOUR_MS, atMs, run: async () => void runs++ })
  const { rows } = await owner.query<{ now: Date }>('select clock_timestamp() as now')
  const nowMs = rows[0]?.now.getTime() ?? 0
  const beganMs = Math.floor((nowMs - atMs) / HOUR_MS) * HOUR_MS + atMs
  await setLastRun('hourly', new Date(beganMs))
  await loop.run()
  expect(runs).toBe(0)
  await setLastRun('hourly', new Date(beganMs - 1))
  await loop.run()
  expect(runs).toBe(1)
})

test('a job that fails stays due, for every worker', async () => {
  let runs = 0
  const run = async () => {
    if (++runs === 1) throw new Error('the first time it fails')
  }
  const [first, second] = loopsOf({ name: 'shaky', everyMs: PERIOD_MS, run })
  await missed('shaky')
  await expect(first.run()).rejects.toThrow('the first time it fails')
  await second.run()
  expect(runs).toBe(2)
  await first.run()
  expect(runs).toBe(2)
})

test('if a worker dies during a job, another worker runs it', async () => {
  const { job, runs, started, end } = aSlowJob('orphan')
  const [first, second] = loopsOf(job)
  await missed('orphan')
  const running = first.run()
  await started
  await owner.query(`select pg_terminate_backend(pid, 10000) from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`)
  const takenOver = second.run()
  await expect.poll(() => runs).toHaveLength(2)
  end()
  await takenOver
  // The first worker only lost its connection. It finds its lock gone and does no harm.
  await running
  await first.run()
  expect(runs).toHaveLength(2)
})
