import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../../protocol/money.ts'
import { systemAccount } from '../ledger/accounts.ts'
import { runAudit } from '../ledger/audit.ts'
import { ledgerInvariants } from '../ledger/invariants.ts'
import { planInvariants } from '../plans/invariants.ts'
import { createTestApi, type TestApi, testConfig } from '../testing/api.ts'
import { runAsOwner } from '../testing/database.ts'
import { fundPool, systemBalances } from '../testing/plans.ts'
import { rewardInvariants } from './invariants.ts'

const WORKER = fileURLToPath(new URL('../testing/reward-worker.ts', import.meta.url))
const LOTS = 3_000
const DAYS = 2
const KILLS = 6
const NIGHT = '2030-01-03T00:05:00Z'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
  await fundPool(api, 'reward_pool', '10000')
  await fundPool(api, 'health_pool', '1000')
  await runAsOwner(api.database.ownerUrl, manyLots)
})
afterAll(() => api.close())

// As many people with one lot each, begun on the first of January 2030, each posted like any purchase.
const manyLots = `
  insert into users (id, number, username, wallet_address, referral_code, sponsor_number, path)
  select uuidv7(), n, 'member_' || n, '0x' || lpad(to_hex(n), 40, '0'), lpad(n::text, 8, '0'), null, array[n]
  from generate_series(1, ${LOTS}) n;
  select ledger_open_accounts(n) from generate_series(1, ${LOTS}) n;
  insert into plan_orders (id, user_number, package_type, source, trans_hash, amount, fee, plan_before, fee_above,
    fee_percent, upline_completed_at)
  select uuidv7(), number, 2, 'wallet', 'internal' || number, 100000000 + number, 0, 0, 20000000, 10, now() from users;
  insert into plan_lots (order_id, user_number, tier, amount, daily_rate_ppm, started_on, matures_on)
  select id, user_number, 'Active', amount, 1500, '2030-01-01', '2030-04-01' from plan_orders;
  select ledger_post_one('plan_purchase', id, null, null, ledger_custody(), user_number::bigint * 16, amount)
  from plan_orders`

type Night = { ended: Promise<'killed' | 'done'>; chunks: () => number; kill: () => void }

/** Starts the night's work in a process of its own. */
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
    SUPPORT_ADDRESS: chain.support,
    LOG_LEVEL: 'silent',
  }
  const child = spawn(process.execPath, [WORKER, NIGHT, '100'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (data) => {
    text += data
  })
  return {
    ended: once(child, 'exit').then(([code]) => (code === 0 ? 'done' : 'killed')),
    chunks: () => text.split('chunk').length - 1,
    kill: () => void child.kill('SIGKILL'),
  }
}

/** Waits until so many pieces are finished, or the night is over. */
async function untilChunks(night: Night, count: number): Promise<void> {
  let isOver = false
  void night.ended.then(() => {
    isOver = true
  })
  while (!isOver && night.chunks() < count) await new Promise((resolve) => setTimeout(resolve, 2))
}

test('a night killed over and over pays every lot once for every day', { timeout: 240_000 }, async () => {
  let kills = 0
  for (;;) {
    const night = startNight()
    if (kills < KILLS) {
      // Somewhere in the piece after the next few: the delay falls inside a transaction as often as between two.
      await untilChunks(night, 1 + (kills % 4))
      await new Promise((resolve) => setTimeout(resolve, (kills * 7) % 23))
      night.kill()
    }
    if ((await night.ended) === 'done') break
    kills++
  }
  expect(kills).toBe(KILLS)

  const { rows } = await sql<{ day: string; lots: bigint; users: bigint }>`
    select earned_on::text as day, count(*) as lots, count(distinct user_number) as users
    from daily_rewards group by 1 order by 1`.execute(api.context.db)
  const all = BigInt(LOTS)
  expect(rows).toEqual([
    { day: '2030-01-02', lots: all, users: all },
    { day: '2030-01-03', lots: all, users: all },
  ])
  const { rows: runs } = await sql<{ runs: bigint }>`select count(*) as runs from reward_runs`.execute(api.context.db)
  expect(runs[0]?.runs).toBe(BigInt(DAYS * (LOTS / 100 + 1)))
  const { rows: paid } = await sql<{ paid: bigint }>`
    select sum(amount * daily_rate_ppm / 1000000)::bigint * ${DAYS}::bigint as paid from plan_lots`.execute(
    api.context.db,
  )
  expect((await systemBalances(api))['reward_pool']).toBe(parseUsdt('10000') - (paid[0]?.paid ?? 0n))
  const { rows: debits } = await sql<{ debits: bigint }>`
    select count(*) as debits from ledger_entries
    where account_id = ${systemAccount('reward_pool')} and kind = 'daily_reward'`.execute(api.context.db)
  // One debit of the pool for each piece that had lots, not one for each lot.
  expect(debits[0]?.debits).toBe(BigInt(DAYS * (LOTS / 100 + 1)))
  const report = await runAudit(api.context.db, [...ledgerInvariants, ...planInvariants, ...rewardInvariants])
  expect(report.invariants.filter(({ findings }) => findings.length > 0)).toEqual([])
})
