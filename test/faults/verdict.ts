import { formatEther } from 'viem'
import { createChain } from '../../src/server/chain/client.ts'
import { runAudit } from '../../src/server/ledger/audit.ts'
import { allInvariants } from '../../src/server/operators/invariants.ts'
import { readConfig } from '../../src/server/platform/config.ts'
import { createDb, createPool } from '../../src/server/platform/db.ts'
import type { Verdict } from './model.ts'
import type { Scene } from './scene.ts'
import { untilTrue } from './until.ts'

/** Waits until the current latest block is final and booked and no payout is open. */
export async function settle({ owner, chain }: Scene): Promise<void> {
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
export async function audit({ settings, chain, ownerUrl, miner }: Scene): Promise<string[]> {
  const db = createDb(createPool(ownerUrl, 2))
  const own = createChain(readConfig({ ...settings, RPC_URL: chain.settings.RPC_URL }).chain)
  try {
    const { invariants } = await miner.alone(() => runAudit(db, allInvariants(own), { isFull: true }))
    return invariants.flatMap(({ number, name, findings }) => findings.map((text) => `${number}. ${name}: ${text}`))
  } finally {
    await db.destroy()
  }
}

/** The deposit transactions that are still on chain. */
export async function listKeptDeposits({ chain, model }: Scene): Promise<Set<string>> {
  const kept = new Set<string>()
  for (const { txHash } of model.intents) {
    if (!txHash) continue
    const receipt = await chain.rpc<{ status: string } | null>('eth_getTransactionReceipt', [txHash])
    if (receipt?.status === '0x1') kept.add(txHash)
  }
  return kept
}

export async function compare({ model, owner, people }: Scene, kept: Set<string>): Promise<Verdict> {
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
