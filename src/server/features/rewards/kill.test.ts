import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../../../protocol/money.ts'
import { systemAccount } from '../../ledger/accounts.ts'
import { runAudit } from '../../ledger/audit.ts'
import { ledgerInvariants } from '../../ledger/invariants.ts'
import { createTestApi, type TestApi, testConfig } from '../../testing/api.ts'
import { runAsOwner } from '../../testing/database.ts'
import { numberFromOutside } from '../../testing/numbers.ts'
import { fundPool, systemBalances } from '../../testing/plans.ts'
import { planInvariants } from '../plans/invariants.ts'
import { rewardInvariants } from './invariants.ts'

const WORKER = fileURLToPath(new URL('../../testing/reward-worker.ts', import.meta.url))
/** The full run: LOTS=1000000 NIGHT_KILLS=20 npm test. */
const LOTS = numberFromOutside('LOTS', 3_000)
const KILLS = numberFromOutside('NIGHT_KILLS', 6)
const DAYS = 2
/** Gives the same number of chunks as a million lots have, whatever the number of lots. */
const CHUNK = Math.ceil(LOTS / 20)
const CHUNKS = DAYS * (Math.floor(LOTS / CHUNK) + 1)
/** A moment inside a chunk: larger chunks take longer. */
const delayMs = (kill: number) => (kill * 7) % (23 + Math.floor(LOTS / 2_000))
const NIGHT = '2030-01-03T00:05:00Z'
const POOL = LOTS * 2
const MINUTES_MAX = 30 * 60_000

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
  await fundPool(api, 'reward_pool', String(POOL))
  await fundPool(api, 'health_pool', String(POOL))
  await runAsOwner(api.database.ownerUrl, manyLots)
}, MINUTES_MAX)
afterAll(() => api.close())

// One user per lot, all lots started on 1 January 2030 and posted like any purchase. Triggers are off: instead of a
// million checks, the audit checks everything once at the end.
const manyLots = `
  set session_replication_role = replica;
  insert into users (id, number, username, wallet_address, referral_code, sponsor_number, path)
  select new_id(), n, 'member_' || n, '0x' || lpad(to_hex(n), 40, '0'), lpad(n::text, 8, '0'), null, array[n]
  from generate_series(1, ${LOTS}) n;
  insert into ledger_accounts (id)
  select n::bigint * 16 + code from generate_series(1, ${LOTS}) n, ledger_account_kinds where code < 16;
  insert into plan_orders (id, user_number, package_type, source, trans_hash, amount, fee, plan_before, fee_above,
    fee_percent, upline_completed_at)
  select new_id(), number, 2, 'wallet', 'internal' || number, 100000000 + number, 0, 0, 20000000, 10, now() from users;
  insert into plan_lots (order_id, user_number, tier, amount, daily_rate_ppm, health_percent, started_on, matures_on)
  select id, user_number, 'Active', amount, 1500, 5, '2030-01-01', '2030-04-01' from plan_orders;
  select count(*) from (
    select array_agg('plan_purchase'::ledger_kind) as kinds, array_agg(id order by at) as refs,
      array_agg(new_id()) as digests, array_agg(null::jsonb) as replies, array_agg(at::int order by at) as owners,
      array_agg(ledger_custody()) as sources, array_agg(user_number::bigint * 16 order by at) as targets,
      array_agg(amount order by at) as amounts
    from (
      select *, row_number() over (partition by user_number / 10000 order by user_number) as at from plan_orders
    ) as ordered
    group by user_number / 10000
  ) as given, ledger_post_group(kinds, refs, digests, replies, owners, sources, targets, amounts, false)`

type Night = { ended: Promise<'killed' | 'done'>; chunks: () => number; kill: () => void }

/** Starts the nightly work in a separate process. */
function startNight(): Night {
  const { databaseUrl, chain } = testConfig(api.database.appUrl)
  const env = {
    DATABASE_URL: databaseUrl,
    RPC_URL: chain.rpcUrl,
    CHAIN_ID: String(chain.chainId),
    USDT_ADDRESS: chain.usdt,
    JW_ADDRESS: chain.jw,
    JWC_ADDRESS: chain.jwc,
    PAIR_ADDRESS: chain.pair,
    VAULT_ADDRESS: chain.vault,
    LOG_LEVEL: 'silent',
  }
  const child = spawn(process.execPath, [WORKER, NIGHT, String(CHUNK)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (data) => {
    text += data
  })
  return {
    ended: once(child, 'exit').then(([code]) => (code === 0 ? 'done' : 'killed')),
    chunks: () => (text.startsWith('ready') ? text.split('chunk').length - 1 : -1),
    kill: () => void child.kill('SIGKILL'),
  }
}

/** Waits until `count` chunks are finished or the process ends. With 0 it waits until the work begins. */
async function untilChunks(night: Night, count: number): Promise<void> {
  let isOver = false
  void night.ended.then(() => {
    isOver = true
  })
  while (!isOver && night.chunks() < count) await new Promise((resolve) => setTimeout(resolve, 2))
}

test('a nightly run that is killed repeatedly pays every lot once per day', { timeout: MINUTES_MAX }, async () => {
  let kills = 0
  const began = performance.now()
  for (;;) {
    const night = startNight()
    if (kills < KILLS) {
      // Kills after up to two chunks and a delay, so that it hits the inside of transactions as well as the gaps.
      await untilChunks(night, kills % 3)
      await new Promise((resolve) => setTimeout(resolve, delayMs(kills)))
      night.kill()
    }
    if ((await night.ended) === 'done') break
    kills++
  }
  expect(kills).toBe(KILLS)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`lots=${LOTS} days=${DAYS} chunks=${CHUNKS} kills=${kills} seconds=${seconds}`)

  const { rows } = await sql<{ day: string; lots: bigint; users: bigint }>`
    select earned_on::text as day, count(*) as lots, count(distinct user_number) as users
    from daily_rewards group by 1 order by 1`.execute(api.context.db)
  const all = BigInt(LOTS)
  expect(rows).toEqual([
    { day: '2030-01-02', lots: all, users: all },
    { day: '2030-01-03', lots: all, users: all },
  ])
  const { rows: runs } = await sql<{ runs: bigint }>`select count(*) as runs from reward_runs`.execute(api.context.db)
  expect(runs[0]?.runs).toBe(BigInt(CHUNKS))
  const { rows: paid } = await sql<{ paid: bigint }>`
    select sum(amount * daily_rate_ppm / 1000000)::bigint * ${DAYS}::bigint as paid from plan_lots`.execute(
    api.context.db,
  )
  expect((await systemBalances(api))['reward_pool']).toBe(parseUsdt(String(POOL)) - (paid[0]?.paid ?? 0n))
  const { rows: debits } = await sql<{ debits: bigint }>`
    select count(*) as debits from ledger_entries
    where account_id = ${systemAccount('reward_pool')} and kind = 'daily_reward'`.execute(api.context.db)
  // One debit of the pool per chunk, not per lot.
  expect(debits[0]?.debits).toBe(BigInt(CHUNKS))
  const report = await runAudit(api.context.db, [...ledgerInvariants, ...planInvariants, ...rewardInvariants])
  expect(report.invariants.filter(({ findings }) => findings.length > 0)).toEqual([])
})
