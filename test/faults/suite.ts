import { formatEther } from 'viem'
import { createChain } from '../../src/server/chain/client.ts'
import { runAudit } from '../../src/server/ledger/audit.ts'
import { allInvariants } from '../../src/server/operators/invariants.ts'
import { readConfig } from '../../src/server/platform/config.ts'
import { createDb, createPool } from '../../src/server/platform/db.ts'
import { makeBackup, withRestored } from './drill.ts'
import type { Verdict } from './model.ts'
import { createSchedule } from './schedule.ts'
import { strike } from './strike.ts'
import { createWorld, untilTrue, type World } from './world.ts'

export type Options = { seed: number; count: number; log: (line: string) => void }
export type Result = Verdict & { faults: number; line: string; isClean: boolean }

const AUDIT_EVERY = 50

/** Runs the faults of the seed, waits until the product has settled, and compares it with the replies clients got. */
export async function runFaults({ seed, count, log }: Options): Promise<Result> {
  log(`seed=${seed} count=${count}: the same seed repeats the same faults and calls in the same order`)
  const schedule = createSchedule(seed, count)
  const world = await createWorld()
  const broken: string[] = []
  let result: Result | undefined
  try {
    const began = performance.now()
    for (const fault of schedule) {
      const isMiddle = fault.number === Math.ceil(count / 2)
      await Promise.all([strike(world, fault), isMiddle && makeBackup(world)])
      if (fault.number % AUDIT_EVERY > 0 && fault.number < count) continue
      await settle(world)
      const findings = await audit(world)
      broken.push(...findings.map((finding) => `after fault ${fault.number}: ${finding}`))
      const seconds = Math.round((performance.now() - began) / 1000)
      log(`${fault.number} faults, ${world.model.intents.length} calls, ${seconds} s, ${findings.length} findings`)
    }
    const kept = await listKeptDeposits(world)
    const verdict = await compare(world, kept)
    const drill = await withRestored(world, (owner) => world.model.compare(owner, kept))
    log(`restored from a backup: ${drill.acked - drill.lost.length} of ${drill.acked} acknowledged calls are present`)
    const restored = (names: string[]) => names.map((name) => `restored from a backup: ${name}`)
    const total: Verdict = {
      acked: verdict.acked,
      lost: [...verdict.lost, ...restored(drill.lost)],
      doubled: [...verdict.doubled, ...restored(drill.doubled)],
      created: [...verdict.created, ...restored(drill.created), ...broken],
    }
    result = report(total, schedule.length, seed, log)
    return result
  } finally {
    if (!result?.isClean) log(`process logs: ${world.folder}/logs`)
    await world.stop({ keepLogs: !result?.isClean })
  }
}

function report(verdict: Verdict, faults: number, seed: number, log: (line: string) => void): Result {
  const { acked, lost, doubled, created } = verdict
  for (const name of [...lost, ...doubled, ...created]) log(`  ${name}`)
  const counts = `lost=${lost.length} doubled=${doubled.length} created=${created.length}`
  const line = `faults=${faults} acked=${acked} ${counts} seed=${seed}`
  return { ...verdict, faults, line, isClean: lost.length + doubled.length + created.length === 0 }
}

/** Stops the faults and waits until the current latest block is final and booked and no payout is open. */
async function settle({ node, owner, chain }: World): Promise<void> {
  node.heal()
  const newest = Number(await chain.rpc<string>('eth_blockNumber'))
  await untilTrue(async () => {
    const { rows } = await owner.query(
      `select (select block_number from chain_cursor) >= $1
        and not exists (select from chain_unbooked w join chain_payments t on t.id = w.payment_id
          join users u on u.wallet_address = t.from_address)
        and (exists (select from halts)
          or not exists (select from withdrawals where state in ('requested', 'signed', 'sent'))) as settled`,
      [newest],
    )
    return rows[0]?.settled === true
  })
}

/** Checks every invariant against the real chain node. */
async function audit({ settings, chain, postgres, miner }: World): Promise<string[]> {
  const db = createDb(createPool(postgres.ownerUrl, 2))
  const own = createChain(readConfig({ ...settings, RPC_URL: chain.settings.RPC_URL }).chain)
  try {
    const { invariants } = await miner.alone(() => runAudit(db, allInvariants(own)))
    return invariants.flatMap(({ number, name, findings }) => findings.map((text) => `${number}. ${name}: ${text}`))
  } finally {
    await db.destroy()
  }
}

/** The deposit transactions that are still on chain. */
async function listKeptDeposits({ chain, model }: World): Promise<Set<string>> {
  const kept = new Set<string>()
  for (const { txHash } of model.intents) {
    if (!txHash) continue
    const receipt = await chain.rpc<{ status: string } | null>('eth_getTransactionReceipt', [txHash])
    if (receipt?.status === '0x1') kept.add(txHash)
  }
  return kept
}

async function compare({ model, owner, people }: World, kept: Set<string>): Promise<Verdict> {
  const verdict = await model.compare(owner, kept)
  for (const { wallet, number } of people) {
    const { rows } = await owner.query(
      `select coalesce(sum(value_wei) filter (where direction = 'out' and to_address = $1), 0)::text as paid,
        (select coalesce(sum(net), 0) * 1000000000000::numeric from withdrawals where user_number = $2 and state = 'paid')::text as owed
       from chain_payments`,
      [wallet.address, number],
    )
    const difference = BigInt(rows[0].paid) - BigInt(rows[0].owed)
    const name = `payouts of user ${number}: ${formatEther(difference)} USDT more on chain than withdrawn`
    if (difference > 0n) verdict.doubled.push(name)
    if (difference < 0n) verdict.lost.push(name)
  }
  return verdict
}
