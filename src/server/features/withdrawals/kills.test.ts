import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt, WEI_PER_MICRO } from '../../../protocol/money.ts'
import { runAudit } from '../../ledger/audit.ts'
import { allInvariants } from '../../operators/invariants.ts'
import { createTestApi, type TestApi, testSettings } from '../../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../../testing/chain.ts'
import { numberFromOutside } from '../../testing/numbers.ts'
import { aDepositor, type TestUser, withdraw, workOnce } from '../../testing/payments.ts'

/** The full run: KILLS=60 WITHDRAWALS=100 npm test. */
const KILLS = numberFromOutside('KILLS', 8)
const WITHDRAWALS = numberFromOutside('WITHDRAWALS', 16)
/** A worker that does not reach its step in this time is killed wherever it is. */
const PATIENCE_MS = 5_000
const WORKER = join(import.meta.dirname, '../../testing/payout-worker.ts')
/** Every point at which a killed worker could leave work half done. */
const STEPS = ['reserved', 'signing', 'stored', 'broadcasting', 'broadcast', 'sent', 'settling', 'settled'] as const

let api: TestApi
let node: PaymentChain
let users: TestUser[]

beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
  await workOnce(api, node)
  users = []
  for (let count = 0; count < 5; count++) users.push(await aDepositor(api, node, '500'))
})
afterAll(async () => {
  await api.close()
  await node.stop()
})

type Worker = { ready: Promise<void>; runToDeath: () => Promise<'at its step' | 'from outside'> }

/** Starts a worker that waits for 'go' and then dies at its step. If it does not get there, it is killed. */
function startWorker(step: string): Worker {
  const settings = JSON.stringify({ ...testSettings(api.database.appUrl), ...node.settings })
  const child = fork(WORKER, [settings, step], { stdio: 'ignore' })
  const ready = once(child, 'message').then(() => undefined)
  const died = once(child, 'exit').then(() => 'at its step' as const)
  return {
    ready,
    async runToDeath() {
      await ready
      child.send('go')
      const patience = new AbortController()
      const late = sleep(PATIENCE_MS, 'from outside' as const, { signal: patience.signal }).catch(() => died)
      const where = await Promise.race([died, late])
      patience.abort()
      child.kill('SIGKILL')
      await died
      return where
    },
  }
}

async function countOpen(): Promise<number> {
  const { rows } = await sql<{ open: bigint }>`
    select count(*) as open from withdrawals where state not in ('paid', 'refused', 'refunded')`.execute(api.context.db)
  return Number(rows[0]?.open)
}

test(`${WITHDRAWALS} withdrawals are each paid once or refunded while the worker is killed ${KILLS} times`, async () => {
  let asked = 0
  let [isMining, isPaused] = [true, false]
  const miner = (async () => {
    while (isMining) {
      if (!isPaused) await node.mine()
      await sleep(150)
    }
  })()
  const code = (await node.chain.client.getCode({ address: node.usdt })) ?? '0x'
  const failWaiting = async () => {
    await node.setCode(node.usdt, '0x60006000fd')
    await node.mine()
    await node.setCode(node.usdt, code)
    isPaused = false
  }
  const ask = async (count: number) => {
    for (; count > 0 && asked < WITHDRAWALS; count--, asked++) {
      const user = users[asked % users.length] as TestUser
      await withdraw(api, user, `${10 + (asked % 7)}.${100_000 + asked}`)
    }
  }
  const deaths: Record<string, number> = {}
  let failing = 0
  const stepOf = (kill: number) => STEPS[kill % STEPS.length] as string
  let next = startWorker(stepOf(0))
  for (let kill = 0; kill < KILLS; kill++) {
    await ask(kill % 3 === 2 ? 1 : 2)
    const worker = next
    await worker.ready
    // For one kill in 24, the USDT contract reverts: the payout fails and is signed again.
    const isRefused = kill % 24 === STEPS.indexOf('sent')
    isPaused = isRefused
    // Start the next worker now, so that it loads in the meantime.
    if (kill + 1 < KILLS) next = startWorker(stepOf(kill + 1))
    const where = await worker.runToDeath()
    const place = where === 'at its step' ? stepOf(kill) : where
    deaths[place] = (deaths[place] ?? 0) + 1
    if (!isRefused) continue
    await failWaiting()
    if (where === 'at its step') failing++
  }
  await ask(WITHDRAWALS)
  while ((await countOpen()) > 0) await workOnce(api, node, { stuckSeconds: 3 })
  isMining = false
  await miner

  const { rows: ends } = await sql<{ state: string; count: bigint }>`
    select state, count(*) from withdrawals group by state`.execute(api.context.db)
  const results = Object.fromEntries(ends.map(({ state, count }) => [state, Number(count)]))
  console.log(`kills=${KILLS} withdrawals=${asked}`, deaths, results)
  expect((results['paid'] ?? 0) + (results['refunded'] ?? 0)).toBe(WITHDRAWALS)
  expect(results['paid']).toBeGreaterThan(0)
  const { rows: signed } = await sql`select from chain_payouts`.execute(api.context.db)
  expect(signed.length).toBeGreaterThanOrEqual(WITHDRAWALS + failing)
  await expectExact()
}, 900_000)

/** To the micro-USDT: a user's money on chain and in the ledger is their deposit minus the fees of paid withdrawals. */
async function expectExact(): Promise<void> {
  for (const user of users) {
    const { rows } = await sql<{ paid: bigint; spent: bigint }>`
      select coalesce(sum(net), 0)::bigint as paid, coalesce(sum(amount), 0)::bigint as spent
      from withdrawals where user_number = ${user.number} and state = 'paid'`.execute(api.context.db)
    const { paid = 0n, spent = 0n } = rows[0] ?? {}
    expect(await node.balanceOf(user.wallet.address)).toBe(paid * WEI_PER_MICRO)
    const { rows: held } = await sql<{ balance: bigint }>`
      select balance from ledger_accounts where id = ${user.number * 16 + 3}`.execute(api.context.db)
    expect(held[0]?.balance).toBe(parseUsdt('500') - spent)
  }
  const { invariants } = await runAudit(api.context.db, allInvariants(api.context.chain))
  expect(invariants.flatMap(({ findings }) => findings)).toEqual([])
}
