import { sql } from 'kysely'
import { encodeFunctionData, type Hex, keccak256, parseTransaction, stringToHex, toHex } from 'viem'
import type { Address } from '../../protocol/ids.ts'
import type { Db, Tx } from '../platform/db.ts'
import type { Chain } from './client.ts'
import { readFees } from './fees.ts'
import type { Fees } from './payouts/payouts.ts'
import { readNonceAt } from './payouts/send.ts'
import { getSigner } from './signers.ts'
import type { Hash } from './tables.ts'
import { vaultAbi } from './vault-abi.ts'

/**
 * Transactions of the publisher's key. As with payouts, nonce and signed bytes are stored before anything is sent, so
 * any process can send them any number of times (publisher-send.ts).
 */
export type CallKind = 'publish' | 'tree' | 'colour' | 'audit' | 'sweep'
export type Publication = { epoch: bigint; root: Uint8Array; total: bigint; paidAt: bigint; takenAt: bigint }
/** Without `to` and `gas`: a call of the vault. */
export type VaultCall = { kind: CallKind; value: Uint8Array; data: Hex; to?: Address; gas?: bigint }
export type OpenCall = {
  kind: CallKind
  value: Buffer
  wallet: Address
  nonce: bigint
  attempts: (Fees & { txHash: Hash; raw: Hash; ageSeconds: number })[]
}

/** More than `publish` or `anchor` ever needs (`npm run gas:vault`). Unused gas is not charged. */
const GAS_MAX = 300_000n

export const publisherAddress = (chain: Chain): Address => getSigner(chain, 'publisher').address

export const publishCall = ({ epoch, root, total, paidAt, takenAt }: Publication): VaultCall => ({
  kind: 'publish',
  value: root,
  data: encodeFunctionData({
    abi: vaultAbi,
    functionName: 'publish',
    args: [epoch, toHex(root), total, paidAt, takenAt],
  }),
})

/** The event's kind is the name itself, padded with zeros, so that it is readable in a block explorer. */
export const anchorCall = (kind: Exclude<CallKind, 'publish' | 'sweep'>, value: Uint8Array): VaultCall => ({
  kind,
  value,
  data: encodeFunctionData({
    abi: vaultAbi,
    functionName: 'anchor',
    args: [stringToHex(kind, { size: 32 }), toHex(value)],
  }),
})

export type SigningTerms = { fees: Fees; nonceOnChain: bigint }

/** Read before the database transaction that signs, so that it does not wait for a node. */
export async function readSigningTerms(chain: Chain): Promise<SigningTerms> {
  const [fees, nonceOnChain] = await Promise.all([readFees(chain), readNonceAt(chain, publisherAddress(chain))])
  return { fees, nonceOnChain }
}

/** One worker at a time takes a nonce. The others wait for this lock until the end of the transaction. */
export async function lockPublisher(tx: Tx, chain: Chain): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${publisherAddress(chain)}, 0))`.execute(tx)
}

/** Takes the next nonce, signs and stores, all in `tx`. */
export async function signCall(
  tx: Tx,
  chain: Chain,
  call: VaultCall,
  { fees, nonceOnChain }: SigningTerms,
): Promise<void> {
  const { chainId, vault } = chain.settings
  const wallet = publisherAddress(chain)
  await lockPublisher(tx, chain)
  const { rows } = await sql<{ next: bigint | null }>`
    select max(nonce) + 1 as next from vault_calls where chain_id = ${chainId} and wallet = ${wallet}`.execute(tx)
  const next = rows[0]?.next ?? 0n
  // After a restore the chain can be ahead of our records. A nonce that is used on chain cannot be used again.
  const nonce = next > nonceOnChain ? next : nonceOnChain
  const value = Buffer.from(call.value)
  await tx
    .insertInto('vault_calls')
    .values({ chain_id: BigInt(chainId), wallet, nonce, vault, kind: call.kind, value })
    .execute()
  await storeCallAttempt(tx, chain, { ...call, wallet, nonce }, fees)
}

type Signable = Pick<VaultCall, 'data' | 'to' | 'gas'> & { wallet: Address; nonce: bigint }

async function storeCallAttempt(
  tx: Tx,
  chain: Chain,
  { wallet, nonce, data, to = chain.settings.vault, gas = GAS_MAX }: Signable,
  { feeMaxWei, tipMaxWei }: Fees,
): Promise<void> {
  const { chainId } = chain.settings
  const raw = await getSigner(chain, 'publisher').sign({
    nonce: Number(nonce),
    to,
    data,
    gas,
    maxFeePerGas: feeMaxWei,
    maxPriorityFeePerGas: tipMaxWei,
  })
  await tx
    .insertInto('vault_call_attempts')
    .values({
      tx_hash: keccak256(raw),
      chain_id: BigInt(chainId),
      wallet,
      nonce,
      raw,
      fee_max_wei: feeMaxWei.toString(),
      tip_max_wei: tipMaxWei.toString(),
    })
    // The same fees produce the same bytes, which are stored already.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Signs and stores the same call again: same nonce, higher fees. */
export async function signAgain(tx: Tx, chain: Chain, call: OpenCall, fees: Fees): Promise<void> {
  const [first] = call.attempts
  const { data, to, gas } = first ? parseTransaction(first.raw) : {}
  if (!data || !to || !gas) throw new Error('a call without an attempt')
  const { wallet, nonce } = call
  await storeCallAttempt(tx, chain, { wallet, nonce, data, to: to.toLowerCase() as Address, gas }, fees)
}

/** Calls whose outcome is not final yet, ordered by nonce, each with its attempts, the highest fee last. */
export async function listOpenCalls(db: Db, { settings }: Chain): Promise<OpenCall[]> {
  const { rows } = await sql<Omit<OpenCall, 'attempts'> & { attempts: AttemptRow[] }>`
    select c.kind, c.value, c.wallet, c.nonce, json_agg(json_build_object('tx_hash', a.tx_hash, 'raw', a.raw,
      'fee', a.fee_max_wei::text, 'tip', a.tip_max_wei::text,
      'age', extract(epoch from clock_timestamp() - a.signed_at)) order by a.fee_max_wei, a.signed_at) as attempts
    from vault_calls c join vault_call_attempts a using (chain_id, wallet, nonce)
    where c.chain_id = ${settings.chainId} and c.closed_at is null
    group by c.chain_id, c.wallet, c.nonce order by c.wallet, c.nonce`.execute(db)
  return rows.map(({ attempts, ...call }) => ({
    ...call,
    attempts: attempts.map(({ tx_hash, raw, fee, tip, age }) => ({
      txHash: tx_hash,
      raw,
      feeMaxWei: BigInt(fee),
      tipMaxWei: BigInt(tip),
      ageSeconds: age,
    })),
  }))
}

type AttemptRow = { tx_hash: Hash; raw: Hash; fee: string; tip: string; age: number }

/** Whether a root is on its way. A second one would have the same books, and the vault would refuse it. */
export async function isPublishing(db: Db, { settings }: Chain): Promise<boolean> {
  const { rows } = await sql`
    select from vault_calls where kind = 'publish' and closed_at is null and chain_id = ${settings.chainId}
    limit 1`.execute(db)
  return rows.length > 0
}

/** Whether a call with this value is on its way or has succeeded. */
export async function hasCall(db: Db, kind: CallKind, value: Uint8Array): Promise<boolean> {
  const { rows } = await sql`
    select from vault_calls where kind = ${kind} and value = ${Buffer.from(value)} and succeeded is not false
    limit 1`.execute(db)
  return rows.length > 0
}
