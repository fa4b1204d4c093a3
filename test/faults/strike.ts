import { setTimeout as sleep } from 'node:timers/promises'
import { parseEther, toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { nodeFaults } from '../../src/server/testing/bad-node.ts'
import { takeNonce } from '../../src/server/testing/chain.ts'
import type { Call } from './client.ts'
import { callOf, operate, personAt, together } from './operations.ts'
import { runHelper } from './processes.ts'
import type { Fault, FaultKind } from './schedule.ts'
import { untilTrue } from './until.ts'
import type { World } from './world.ts'

/** Every step at which a killed payout worker could leave something half done. */
const STEPS = ['reserved', 'signing', 'stored', 'broadcasting', 'broadcast', 'sent', 'settling', 'settled']
const DAY_MS = 86_400_000
const STEP_TIMEOUT_MS = 3_000
const MIDNIGHT_TIMEOUT_MS = 60_000

/** Injects one fault during its operations, and returns when all operations have a reply. */
export async function strike(world: World, fault: Fault): Promise<void> {
  await strikes[fault.kind](world, fault)
}

type Strike = (world: World, fault: Fault) => Promise<unknown>

/** Runs the operations and injects the fault while they run. */
const during =
  (hit: Strike): Strike =>
  (world, fault) =>
    Promise.all([
      ...fault.operations.map((planned) => operate(world, planned)),
      sleep(fault.delayMs).then(() => hit(world, fault)),
    ])

const duringWithdrawals =
  (hit: Strike): Strike =>
  (world, fault) => {
    const operations = fault.operations.map((planned) => ({ ...planned, kind: 'withdraw' as const }))
    return during(hit)(world, { ...fault, operations })
  }

const strikes: Record<FaultKind, Strike> = {
  'lost-answer': (world, { operations, draw }) =>
    Promise.all(operations.map((planned, at) => operate(world, planned, { loseAfterMs: 1 + ((draw >> at) % 40) }))),

  'repeated-call': (world, { operations, draw }) =>
    Promise.all(operations.map((planned, at) => operate(world, planned, { times: 2 + ((draw >> at) % 4) }))),

  storm: (world, { operations: [planned] }) =>
    planned ? operate(world, { ...planned, kind: 'transfer' }, { times: 50 }) : Promise.resolve(),

  'reused-key': reuseKey,

  // The database may still be restarting after the previous fault. Then there is nothing to cut.
  'cut-connections': during(({ owner }, { draw }) =>
    owner
      .query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where usename = 'wellplay' and hashint4(pid # $1) % 3 = 0`,
        [draw % 1_000_003],
      )
      .catch(() => {}),
  ),

  'bad-node': during(async ({ node }, { draw }) => {
    node.spoil(nodeFaults[draw % nodeFaults.length] ?? '500', 1 + (draw % 5))
  }),

  'node-down': during(async ({ node }, { draw }) => {
    node.down()
    await sleep(300 + (draw % 1_000))
    node.heal()
  }),

  reorg: during(replaceBlocks),

  'kill-api': during(async ({ apis }, { draw }) => apis[draw % apis.length]?.kill()),
  'kill-worker': during(async ({ worker }) => worker.kill()),
  'kill-payout-step': duringWithdrawals(killPayoutStep),
  'taken-nonce': duringWithdrawals(takePayoutNonce),
  'publisher-down': during(async ({ chain }, { draw }) => {
    const publisher = privateKeyToAddress(chain.roles.publisherKey)
    await chain.setBalance(publisher, 0n)
    await sleep(300 + (draw % 1_000))
    await chain.setBalance(publisher, parseEther('100'))
  }),
  'kill-postgres': during(async ({ postgres }) => {
    const pid = postgres.pid()
    if (pid) process.kill(pid, 'SIGKILL')
  }),
  'rolling-restart': during(async ({ apis }) => {
    for (const api of apis) await api.restart()
  }),
  midnight: during(jumpOverMidnight),
}

/** Sends two bodies with the same key at once. Only one may take effect; the other must be refused. */
async function reuseKey(world: World, { operations }: Fault): Promise<void> {
  const [planned] = operations
  if (!planned) return
  const person = personAt(world, planned.user)
  const spends: { call: Call; amount: bigint }[] = []
  const key = `reused-${world.model.nextAmount('transfer')}`
  for (let count = 0; count < 2; count++) {
    const amount = world.model.nextAmount('transfer')
    spends.push({ amount, call: { ...(await callOf(world, person, { ...planned, kind: 'transfer' }, amount)), key } })
  }
  const answers = await Promise.all(spends.map(({ call }) => world.client.ask(call)))
  for (const [at, { amount }] of spends.entries()) {
    const outcome = together([answers[at]?.outcome ?? 'unknown'])
    world.model.note({ kind: 'transfer', userNumber: person.number, amount, outcome })
  }
}

/** Replaces only blocks that are not final. In half of the cases the transactions are mined again in another order. */
async function replaceBlocks({ chain, miner }: World, { draw }: Fault): Promise<void> {
  await miner.alone(async () => {
    const depth = 1 + (draw % 2)
    const kept: [string, number][] = []
    const latest = Number(await chain.rpc<string>('eth_blockNumber'))
    for (let back = 0; back < depth && draw % 4 < 2; back++) {
      const block = await chain.rpc<{ transactions: string[] }>('eth_getBlockByNumber', [toHex(latest - back), false])
      for (const hash of block.transactions.toReversed())
        kept.push([await chain.rpc<string>('eth_getRawTransactionByHash', [hash]), depth - 1])
    }
    // If they cannot be mined in that order, drop them.
    await chain.rpc('anvil_reorg', [depth, kept]).catch(() => chain.rpc('anvil_reorg', [depth, []]))
  })
}

/** Starts a second worker that dies at the given step, or is killed after a timeout. */
async function killPayoutStep({ settings }: World, { draw }: Fault): Promise<void> {
  const worker = runHelper('payout-worker.ts', [JSON.stringify(settings), STEPS[draw % STEPS.length] ?? ''], {})
  await Promise.race([worker.ended, sleep(STEP_TIMEOUT_MS)])
  worker.kill()
  await worker.ended
}

/** Replaces the oldest payout that is not mined with a transaction of the same nonce and a higher fee. */
async function takePayoutNonce({ owner, chain }: World): Promise<void> {
  const oldest = `select p.nonce, max(a.fee_max_wei)::text as fee from chain_payouts p
    join chain_payout_attempts a using (chain_id, wallet, nonce) where p.closed_at is null and p.nonce >= $1
    group by p.nonce order by p.nonce limit 1`
  const deadline = performance.now() + STEP_TIMEOUT_MS
  while (performance.now() < deadline) {
    const mined = Number(await chain.rpc<string>('eth_getTransactionCount', [chain.hot, 'latest']))
    // The database may still be restarting after the previous fault.
    const { rows } = await owner.query(oldest, [mined]).catch(() => ({ rows: [] }))
    // Refused if the payout was mined in the meantime.
    if (rows[0]) return takeNonce(chain, BigInt(rows[0].nonce), 3n * BigInt(rows[0].fee)).catch(() => {})
    await sleep(50)
  }
}

let nights = 0

/** Runs the nightly job with tomorrow's date, kills it after its first chunk, and lets another run finish. */
async function jumpOverMidnight({ settings }: World, { draw }: Fault): Promise<void> {
  const night = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + ++nights * DAY_MS + 1_000).toISOString()
  const first = runHelper('reward-worker.ts', [night, '2'], settings)
  await first.printed(draw % 2 ? 'chunk' : 'ready')
  await sleep(draw % 20)
  first.kill()
  await first.ended
  await untilTrue(
    async () => (await runHelper('reward-worker.ts', [night, '2'], settings).ended) === 0,
    MIDNIGHT_TIMEOUT_MS,
  )
}
