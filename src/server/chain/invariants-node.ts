import { sql } from 'kysely'
import { parseAbiItem } from 'viem'
import type { Address } from '../../protocol/ids.ts'
import type { Tx } from '../platform/db.ts'
import { type Chain, readBlock } from './client.ts'
import type { Cursor } from './deposits/claims.ts'
import { usdtPayments } from './deposits/prove.ts'
import { findNextNonce } from './payouts/payouts.ts'
import { readNonceAt } from './payouts/send.ts'
import { findReceipt } from './receipts.ts'
import type { Hash } from './tables.ts'
import { listWallets } from './wallets.ts'

/** Each audit checks the newest payments and a few random older ones, so that a day of audits covers them all. */
const NEWEST = 20
const RANDOM = 10
/** How many blocks back the chain is searched for unrecorded payments. */
export const BLOCKS_SEARCHED = 40n
/** The hash of an opening balance, which has no transaction. */
export const OPENING_HASH = /^0x0{24}/
const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

type Recorded = {
  id: string
  tx_hash: Hash
  ordinal: number
  from_address: Address
  to_address: Address
  value_wei: string
  block_number: bigint
  block_hash: Hash
}

/** Invariant 7: recorded payments are on chain, exactly as recorded. The opening balance has no transaction. */
export async function mismatchedPayments(tx: Tx, chain: Chain): Promise<string[]> {
  const { rows } = await sql<Recorded>`
    (select * from chain_payments order by block_number desc limit ${NEWEST})
    union
    (select * from chain_payments where block_number >= (
      select (min(block_number) + random() * (max(block_number) - min(block_number)))::bigint from chain_payments)
    order by block_number limit ${RANDOM})`.execute(tx)
  const checked = await Promise.all(rows.filter(({ tx_hash }) => !OPENING_HASH.test(tx_hash)).map(check))
  return checked.flat()

  async function check(row: Recorded): Promise<string[]> {
    const receipt = await findReceipt(chain, row.tx_hash)
    if (!receipt) return [`payment ${row.id} is recorded, but its transaction is not on chain`]
    const block = await readBlock(chain, receipt.blockNumber)
    const found = usdtPayments(receipt.logs, chain.settings.usdt)[row.ordinal]
    const matches =
      receipt.blockHash === row.block_hash &&
      block.hash === row.block_hash &&
      receipt.blockNumber === row.block_number &&
      found?.from === row.from_address &&
      found.to === row.to_address &&
      found.valueWei === BigInt(row.value_wei)
    return matches ? [] : [`payment ${row.id} differs from its transaction on chain`]
  }
}

/** Invariant 8: payments on chain are recorded. */
export async function unrecordedPayments(tx: Tx, chain: Chain, cursor: Cursor): Promise<string[]> {
  const { client, settings } = chain
  const fromBlock = cursor.number > BLOCKS_SEARCHED ? cursor.number - BLOCKS_SEARCHED : 0n
  const to = await listWallets(tx, chain)
  const query = { address: settings.usdt, event: TRANSFER, args: { to }, fromBlock, toBlock: cursor.number } as const
  const logs = await client.getLogs(query)
  const hashes = [...new Set(logs.filter(({ args }) => (args.value ?? 0n) > 0n).map((log) => log.transactionHash))]
  const { rows } = await sql<{ hash: Hash }>`
    select hash from unnest(${hashes}::text[]) as hash
    where not exists (select from chain_payments where tx_hash = hash)
      and not exists (select from chain_payments where tx_hash ~ ${OPENING_HASH.source}
        and block_number >= ${fromBlock})`.execute(tx)
  return rows.map(({ hash }) => `${hash} paid us, but is not recorded`)
}

/**
 * Invariant 10: no one else sends from a wallet that has paid withdrawals. Read at the cursor: a payout that was mined
 * there is in this snapshot, while the newest block may already contain payouts that were signed after it.
 */
export async function foreignNonces(tx: Tx, chain: Chain, cursor: Cursor): Promise<string[]> {
  const { rows } = await sql<{ wallet: Address }>`
    with recursive used (wallet) as (
      -- One look into the index per wallet, not one per payout.
      select min(wallet) from chain_payouts where chain_id = ${chain.settings.chainId}
      union all
      select (select min(p.wallet) from chain_payouts p
        where p.chain_id = ${chain.settings.chainId} and p.wallet > used.wallet)
      from used where wallet is not null
    ) select wallet from used where wallet is not null`.execute(tx)
  const findings: string[] = []
  for (const { wallet } of rows) {
    const [next, used] = [await findNextNonce(tx, chain, wallet), await readNonceAt(chain, wallet, cursor.number)]
    if (next !== undefined && used > next)
      findings.push(`wallet ${wallet} has sent ${used} transactions, but our next nonce is ${next}`)
  }
  return findings
}
