import { sql } from 'kysely'
import { encodeFunctionData, erc20Abi, formatEther, keccak256 } from 'viem'
import type { Address } from '../../../protocol/ids.ts'
import type { Usdt } from '../../../protocol/money.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { getHotWallet } from '../addresses.ts'
import type { Chain } from '../client.ts'
import { getSigner } from '../signers.ts'
import type { Hash } from '../tables.ts'
import { vaultAbi } from '../vault-abi.ts'

/**
 * USDT that the vault pays when the hot wallet calls it, each payout exactly once (R10). Nonce, signature and signed
 * bytes are stored in one database transaction before anything is sent. After that, any process can send the payout any
 * number of times: the chain accepts one transaction per nonce, and the vault pays each id once. A stuck payout gets
 * another attempt with the same nonce and a higher fee. `isVoid` uses up the id instead of paying it.
 */
export type Payout = { reference: string; to: Address; amount: Usdt; vaultId: Hash; isVoid: boolean }
export type Fees = { feeMaxWei: bigint; tipMaxWei: bigint }
/** `vault` and `vaultId` are null for a token transfer from before the vault, which no id protects. */
export type OpenPayout = Omit<Payout, 'vaultId'> & {
  vaultId: Hash | null
  vault: Address | null
  wallet: Address
  nonce: bigint
  attempts: Attempt[]
}
type Attempt = Fees & { txHash: Hash; raw: Hash; ageSeconds: number }

/** More than the vault ever needs (test/vault measures it); unused gas is not charged. */
export const GAS_MAX = 300_000n
/** Fee cap, so that a fee spike or a faulty node cannot drain the hot wallet. */
const FEE_WEI_MAX = 100n * 10n ** 9n

export type HotWallet = { gasWei: bigint; nonce: bigint; fees: Fees }

/** The hot wallet's BNB, its next nonce on chain, and the current fees. */
export async function readHotWallet(chain: Chain): Promise<HotWallet> {
  const { client } = chain
  const address = getHotWallet(chain)
  const [gasWei, nonce, block, tip] = await Promise.all([
    client.getBalance({ address }),
    client.getTransactionCount({ address, blockTag: 'latest' }),
    client.getBlock({ blockTag: 'latest' }),
    client.estimateMaxPriorityFeePerGas().catch(() => 10n ** 9n),
  ])
  const tipMaxWei = tip > 0n ? tip : 1n
  return {
    gasWei,
    nonce: BigInt(nonce),
    fees: capped({ feeMaxWei: (block.baseFeePerGas ?? 0n) * 2n + tipMaxWei, tipMaxWei }),
  }
}

/** The hot wallet's BNB and the vault's USDT, formatted for the operator. */
export async function describeHotWallet(chain: Chain) {
  const { client, settings } = chain
  const query = { address: settings.usdt, abi: erc20Abi, functionName: 'balanceOf', args: [settings.vault] } as const
  const [{ gasWei }, heldWei] = await Promise.all([readHotWallet(chain), client.readContract(query)])
  return { address: getHotWallet(chain), bnb: formatEther(gasWei), vault: settings.vault, usdt: formatEther(heldWei) }
}

/** Takes the next nonce, signs and stores, all in `tx`. `nonceOnChain` is used only for the very first payout. */
export async function signPayout(
  tx: Tx,
  chain: Chain,
  payout: Payout,
  fees: Fees,
  nonceOnChain: bigint,
): Promise<void> {
  const wallet = getHotWallet(chain)
  const chainId = BigInt(chain.settings.chainId)
  await sql`select pg_advisory_xact_lock(hashtextextended(${wallet}, 0))`.execute(tx)
  const nonce = (await findNextNonce(tx, chain)) ?? nonceOnChain
  const { reference, to, amount, vaultId, isVoid } = payout
  const call = { vault: chain.settings.vault, vault_id: vaultId, is_void: isVoid }
  await tx
    .insertInto('chain_payouts')
    .values({ chain_id: chainId, wallet, nonce, reference, to_address: to, amount, ...call })
    .execute()
  await storeAttempt(tx, chain, { ...payout, nonce }, fees)
}

/** The nonce after all payouts and booked treasury transactions of a wallet; undefined before its first payout. */
export async function findNextNonce(
  db: Db,
  chain: Chain,
  wallet: Address = getHotWallet(chain),
): Promise<bigint | undefined> {
  const { rows } = await sql<{ payout: bigint | null; treasury: bigint | null }>`
    select (select max(nonce) from chain_payouts p where (p.chain_id, p.wallet) = (w.chain_id, w.wallet)) as payout,
      (select max(nonce) from chain_treasury t where (t.chain_id, t.wallet) = (w.chain_id, w.wallet)) as treasury
    from (select ${chain.settings.chainId}::bigint as chain_id, ${wallet}::text as wallet) w`.execute(db)
  const { payout, treasury } = rows[0] ?? { payout: null, treasury: null }
  if (payout === null) return undefined
  return (treasury !== null && treasury > payout ? treasury : payout) + 1n
}

async function storeAttempt(tx: Tx, chain: Chain, payout: Payout & { nonce: bigint }, fees: Fees): Promise<Attempt> {
  const raw = await getSigner(chain, 'payer').sign({
    nonce: Number(payout.nonce),
    to: chain.settings.vault,
    data: encodePayout(payout),
    gas: GAS_MAX,
    maxFeePerGas: fees.feeMaxWei,
    maxPriorityFeePerGas: fees.tipMaxWei,
  })
  const txHash = keccak256(raw)
  await tx
    .insertInto('chain_payout_attempts')
    .values({
      tx_hash: txHash,
      chain_id: BigInt(chain.settings.chainId),
      wallet: getHotWallet(chain),
      nonce: payout.nonce,
      raw,
      fee_max_wei: fees.feeMaxWei.toString(),
      tip_max_wei: fees.tipMaxWei.toString(),
      gas_max: GAS_MAX,
    })
    // The same fees produce the same bytes, which are stored already.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return { ...fees, txHash, raw, ageSeconds: 0 }
}

const encodePayout = ({ vaultId, to, amount, isVoid }: Payout): Hash =>
  isVoid
    ? encodeFunctionData({ abi: vaultAbi, functionName: 'void', args: [vaultId] })
    : encodeFunctionData({ abi: vaultAbi, functionName: 'pay', args: [vaultId, to, amount] })

/** Whether the vault of the settings pays it: then it can be signed again, because that vault pays its id once. */
export const isOfVault = ({ settings }: Chain, payout: OpenPayout): payout is OpenPayout & { vaultId: Hash } =>
  payout.vault === settings.vault && payout.vaultId !== null

/** Signs and stores a replacement: same nonce, fees an eighth higher, or today's fees if those are higher. */
export async function signReplacement(
  tx: Tx,
  chain: Chain,
  payout: OpenPayout & { vaultId: Hash },
  today: Fees,
): Promise<OpenPayout> {
  const last = payout.attempts.at(-1)
  if (!last) throw new Error('a payout without an attempt')
  const raised = (fee: bigint, now: bigint) => (now > fee + fee / 8n + 1n ? now : fee + fee / 8n + 1n)
  const fees = capped({
    feeMaxWei: raised(last.feeMaxWei, today.feeMaxWei),
    tipMaxWei: raised(last.tipMaxWei, today.tipMaxWei),
  })
  const attempt = await storeAttempt(tx, chain, payout, fees)
  return { ...payout, attempts: [...payout.attempts, attempt] }
}

const capped = ({ feeMaxWei, tipMaxWei }: Fees): Fees => ({
  feeMaxWei: feeMaxWei < FEE_WEI_MAX ? feeMaxWei : FEE_WEI_MAX,
  tipMaxWei: tipMaxWei < FEE_WEI_MAX ? tipMaxWei : FEE_WEI_MAX,
})

/**
 * Payouts whose outcome is not final yet, ordered by nonce, each with all its attempts, oldest first. Includes those of
 * earlier hot wallets: sending signed bytes needs no key.
 */
export async function listOpenPayouts(db: Db, chain: Chain): Promise<OpenPayout[]> {
  const { rows } = await sql<AttemptRow>`
    select p.wallet, p.nonce, p.reference, p.to_address, p.amount, p.vault, p.vault_id, p.is_void, a.tx_hash, a.raw,
           a.fee_max_wei, a.tip_max_wei, extract(epoch from clock_timestamp() - a.signed_at)::float8 as age_seconds
    from chain_payouts p join chain_payout_attempts a using (chain_id, wallet, nonce)
    where p.chain_id = ${BigInt(chain.settings.chainId)} and p.closed_at is null
    order by p.wallet, p.nonce, a.fee_max_wei, a.signed_at`.execute(db)
  const payouts = new Map<string, OpenPayout>()
  for (const row of rows) {
    const { wallet, nonce, reference, to_address: to, amount, vault, vault_id: vaultId, is_void: isVoid } = row
    const place = `${wallet} ${nonce}`
    const known = payouts.get(place)
    const payout = known ?? { wallet, nonce, reference, to, amount, vault, vaultId, isVoid, attempts: [] }
    payouts.set(place, payout)
    payout.attempts.push({
      txHash: row.tx_hash,
      raw: row.raw,
      feeMaxWei: BigInt(row.fee_max_wei),
      tipMaxWei: BigInt(row.tip_max_wei),
      ageSeconds: row.age_seconds,
    })
  }
  return [...payouts.values()]
}

type AttemptRow = {
  wallet: Address
  nonce: bigint
  reference: string
  to_address: Address
  amount: Usdt
  vault: Address | null
  vault_id: Hash | null
  is_void: boolean
  tx_hash: Hash
  raw: Hash
  fee_max_wei: string
  tip_max_wei: string
  age_seconds: number
}

/** Call when the outcome is final: mined, or its nonce was used by another transaction. */
export async function closePayout(tx: Tx, chain: Chain, { wallet, nonce }: Pick<OpenPayout, 'wallet' | 'nonce'>) {
  await tx
    .updateTable('chain_payouts')
    .set({ closed_at: sql`now()` })
    .where('chain_id', '=', BigInt(chain.settings.chainId))
    .where('wallet', '=', wallet)
    .where('nonce', '=', nonce)
    .execute()
}

type StoredPayout = Pick<OpenPayout, 'wallet' | 'nonce' | 'reference' | 'to' | 'amount'>

/** The payout that a chain transaction belongs to; undefined if it is not one of ours. */
export async function findPayout(db: Db, txHash: Hash): Promise<StoredPayout | undefined> {
  return db
    .selectFrom('chain_payout_attempts as a')
    .innerJoin('chain_payouts as p', (join) =>
      join.onRef('p.chain_id', '=', 'a.chain_id').onRef('p.wallet', '=', 'a.wallet').onRef('p.nonce', '=', 'a.nonce'),
    )
    .select(['p.wallet', 'p.nonce', 'p.reference', 'p.to_address as to', 'p.amount'])
    .where('a.tx_hash', '=', txHash)
    .executeTakeFirst()
}

/** Whether another payout for the same withdrawal is still on its way. */
export async function hasOtherOpenPayout(db: Db, { reference, wallet, nonce }: OpenPayout): Promise<boolean> {
  const { rows } = await sql`
    select from chain_payouts where reference = ${reference} and closed_at is null
      and (wallet, nonce) <> (${wallet}, ${nonce}) limit 1`.execute(db)
  return rows.length > 0
}
