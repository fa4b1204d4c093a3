import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type pg from 'pg'
import { startApi } from './api-process.ts'
import { type BenchDatabase, withBenchDatabase } from './database.ts'
import { openConnection } from './http-client.ts'
import { median, report } from './report.ts'

/**
 * Measures how long a user waits for POST /detail/ while 200 connections request public figures without a pause. The
 * baseline is the same call on the same API without that load. `node bench/edge.ts [calls]`.
 */
const [CALLS = 200] = process.argv.slice(2).map(Number)
const CONNECTIONS = 200
const PATHS = ['/api/trust/summary/', '/api/plans/', '/api/games/', '/api/colour/fairness/']
const LOTS = 50_000
const ROUNDS = 100_000

async function run({ owner, urls, onEnd }: BenchDatabase): Promise<void> {
  const token = await fill(owner)
  const { port, child } = await startApi('group', urls.api)
  onEnd(() => child.kill('SIGKILL'))
  await measure(port, token)
  const idleMs = await measure(port, token)
  const workerData = { port, connections: CONNECTIONS, paths: PATHS }
  const load = new Worker(new URL('edge-load.ts', import.meta.url), { workerData })
  onEnd(() => load.terminate())
  const [warm] = await once(load, 'message')
  const began = performance.now()
  const busyMs = await measure(port, token)
  const seconds = (performance.now() - began) / 1000
  load.postMessage('stop')
  const [answered] = await once(load, 'message')
  console.log(
    `POST /detail/: ${idleMs.toFixed(1)} ms idle, ${busyMs.toFixed(1)} ms during ${Math.round((answered - warm) / seconds)} public requests per second`,
  )
  report([{ name: `POST /detail/ during ${CONNECTIONS} public requests ÷ idle`, ratio: busyMs / idleMs, atMost: 3 }])
}

/** The median time of a call, one after the other. */
async function measure(port: number, token: string): Promise<number> {
  const { post, close } = await openConnection(port)
  const times: number[] = []
  for (let call = 0; call < CALLS; call++) {
    const began = performance.now()
    const status = await post('/api/detail/', { token }, '{}')
    if (status !== 200) throw new Error(`/detail/ returned status ${status}`)
    times.push(performance.now() - began)
  }
  close()
  return median(times)
}

/** Inserts one user with a session, and as many lots, rounds and measurements as a year of use leaves behind. */
async function fill(owner: pg.Client): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await owner.query(`insert into users (id, username, wallet_address, referral_code)
    values (new_id(), 'bench', '0x' || repeat('a', 40), 'BENCH234')`)
  await owner.query('insert into sessions (id, user_number, token_hash) values (new_id(), 1, $1)', [
    createHash('sha256').update(token).digest(),
  ])
  await owner.query('select ledger_open_accounts(1)')
  // Without triggers and foreign keys, because only the cost of reading these rows matters here.
  await owner.query('set session_replication_role = replica')
  await owner.query(`insert into plan_lots (order_id, user_number, tier, amount, daily_rate_ppm, health_percent,
    started_on, matures_on)
    select new_id(), 2 + n % 1000, 'Active', 100000000, 1500, 5, current_date, current_date + 90
    from generate_series(1, ${LOTS}) as n`)
  await owner.query(`insert into colour_rounds (number, id, chain_id, opens_at, closes_at, state, stake_green, block_number,
      block_hash, block_at, bound_at, seed, draw, outcome, finished_at, pays_green, pays_red, pays_violet, result_seconds)
    select n, new_id(), 1, at, at + interval '45 s', 'settled', 1000000, n, '0x' || repeat('a', 64), at + interval '46 s',
      at + interval '46 s', sha256(n::text::bytea), n % 96, case when n % 96 < 48 then 'green' else 'red' end::colour,
      at + interval '50 s', 2, 2, 24, 60
    from (select n, now() - n * interval '1 minute' as at from generate_series(1, ${ROUNDS}) as n)`)
  await owner.query(`insert into trust_history (measured_at, reserves, liabilities)
    select now() - n * interval '5 minutes', 1000000, 1000000 from generate_series(1, 8640) as n`)
  await owner.query('set session_replication_role = origin')
  await owner.query('vacuum analyze')
  return token
}

await withBenchDatabase(run)
