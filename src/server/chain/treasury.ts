import { sql } from 'kysely'
import {
  decodeFunctionData,
  erc20Abi,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import { AppError } from '../../protocol/errors.ts'
import type { Address } from '../../protocol/ids.ts'
import { add, micro, type Usdt, WEI_PER_MICRO, ZERO } from '../../protocol/money.ts'
import { systemAccount } from '../ledger/accounts.ts'
import { post } from '../ledger/post.ts'
import type { Db, Tx } from '../platform/db.ts'
import type { Chain } from './client.ts'
import { lockHash } from './deposits/claims.ts'
import { readFinalHead } from './deposits/prove.ts'
import { findReceipt } from './receipts.ts'
import type { Hash } from './tables.ts'
import { vaultAbi } from './vault-abi.ts'
import { listWallets } from './wallets.ts'

/**
 * The way back when the chain has a transaction that the books do not know: an operator moved money by hand, or a
 * restored database has lost a payout. Two operators adopt it:
 *   - a token transfer for a withdrawal, from before the vault, gets its payout row back, and the watcher settles it
 *     (features/withdrawals/adopt.ts). What the vault paid is settled by its id, without an operator;
 *   - anything else becomes a treasury transaction: what left our addresses is booked from `operator`, and the nonce
 *     counts as ours. A transaction between our own addresses moves nothing in the ledger.
 */
export type Signed = { hash: Hash; raw: Hash; wallet: Address; nonce: bigint; pays?: Pays }
/** `vaultId` is missing in a token transfer from before the vault. */
type Pays = { to: Address; valueWei: bigint; vaultId?: Hash }

const refuse = (why: string) => new AppError('invalid_input', why)

/** Reads a final transaction and the bytes that its sender signed. */
export async function readSigned(chain: Chain, hash: Hash): Promise<Signed> {
  const [receipt, head] = [await findReceipt(chain, hash), await readFinalHead(chain)]
  if (!receipt) throw refuse('There is no such transaction on chain')
  if (receipt.blockNumber > head.number) throw refuse('This transaction is not final yet. Try again in a minute.')
  const { input, r, s, v, yParity, ...fields } = await chain.client.getTransaction({ hash })
  // Legacy signatures carry the chain in `v`; the others carry only the parity.
  const signature = fields.type === 'legacy' ? { r, s, v } : { r, s, yParity: yParity ?? Number(v) }
  const raw = serializeTransaction({ ...fields, data: input } as TransactionSerializable, signature as never)
  return parseSigned(chain, hash, raw)
}

/** Proves sender and nonce from the bytes alone: they hash to the transaction's hash, and their signature is valid. */
export async function parseSigned({ settings }: Chain, hash: Hash, raw: Hash): Promise<Signed> {
  if (keccak256(raw) !== hash) throw refuse('The bytes of this transaction do not match its hash')
  const { nonce = 0, to, data } = parseTransaction(raw)
  const signer = await recoverTransactionAddress({ serializedTransaction: raw as never })
  const signed = { hash, raw, wallet: signer.toLowerCase() as Address, nonce: BigInt(nonce) }
  const decode = { [settings.usdt]: transferIn, [settings.vault]: payIn }[to?.toLowerCase() ?? '']
  const pays = data && decode?.(data)
  return pays ? { ...signed, pays } : signed
}

function payIn(data: Hash): Pays | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: vaultAbi, data })
    if (functionName !== 'pay') return undefined
    return { vaultId: args[0], to: args[1].toLowerCase() as Address, valueWei: args[2] * WEI_PER_MICRO }
  } catch {
    // Not a call of the vault.
    return undefined
  }
}

function transferIn(data: Hash): Pays | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
    if (functionName !== 'transfer') return undefined
    return { to: args[0].toLowerCase() as Address, valueWei: args[1] }
  } catch {
    // Not an ERC-20 call.
    return undefined
  }
}

/** Books a transaction that is no payout. Returns how much left our addresses. */
export async function bookTreasury(tx: Tx, chain: Chain, signed: Signed): Promise<Usdt> {
  await lockHash(tx, signed.hash)
  const unknown = await listUnknownOutflows(tx, signed.hash)
  const isOurs = (await listWallets(tx, chain)).includes(signed.wallet)
  if (!isOurs && unknown.length === 0) throw refuse('This transaction moves nothing from our addresses')
  if (isOurs) await takeNonce(tx, chain, signed)
  for (const outflow of unknown) await bookOutflow(tx, outflow)
  return add(ZERO, ...unknown.map(({ amount }) => amount))
}

async function takeNonce(tx: Tx, { settings }: Chain, { wallet, nonce, hash, raw }: Signed): Promise<void> {
  const chainId = BigInt(settings.chainId)
  const { rows } = await sql`
    select from chain_payouts where (chain_id, wallet, nonce) = (${chainId}, ${wallet}, ${nonce})
    union all select from chain_treasury where tx_hash = ${hash}`.execute(tx)
  if (rows.length > 0) throw refuse('The books know this transaction already')
  await tx.insertInto('chain_treasury').values({ chain_id: chainId, wallet, nonce, tx_hash: hash, raw }).execute()
}

export type Outflow = { id: string; hash: Hash; to: Address; valueWei: string; amount: Usdt; happenedAt: Date }

/** Recorded payments from our addresses that belong to no payout, all of them or those of one transaction. */
export async function listUnknownOutflows(db: Db, hash: Hash | null = null): Promise<Outflow[]> {
  const { rows } = await sql<Outflow>`
    select t.id, t.tx_hash as hash, t.to_address as to, t.value_wei as "valueWei", t.happened_at as "happenedAt",
      div(t.value_wei, ${WEI_PER_MICRO}::numeric)::bigint as amount
    from chain_unbooked w join chain_payments t on t.id = w.payment_id
    where t.direction = 'out' and t.tx_hash = coalesce(${hash}, t.tx_hash)
    order by t.block_number, t.ordinal`.execute(db)
  return rows
}

async function bookOutflow(tx: Tx, { id, valueWei, amount }: Outflow): Promise<void> {
  await tx.deleteFrom('chain_unbooked').where('payment_id', '=', id).execute()
  const key = amount > 0n ? ({ kind: 'operator_outflow', reference: id } as const) : { kind: null, reference: null }
  if (key.kind) {
    const movement = { from: systemAccount('operator'), to: systemAccount('custody'), amount: micro(amount) }
    await post(tx, { ...key, movements: [movement] })
  }
  const remainder = (BigInt(valueWei) % WEI_PER_MICRO).toString()
  await tx
    .insertInto('chain_bookings')
    .values({ payment_id: id, ...key, amount, remainder_wei: remainder })
    .execute()
}
