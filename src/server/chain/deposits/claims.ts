import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import type { Address } from '../../../protocol/ids.ts'
import { micro, type Usdt } from '../../../protocol/money.ts'
import type { PostingKind } from '../../ledger/rules.ts'
import { type Db, newId, type Tx } from '../../platform/db.ts'
import type { Chain } from '../client.ts'
import type { Hash } from '../tables.ts'

/**
 * USDT that reaches us on chain, credited exactly once.
 *
 * A product that takes chain payments does three things:
 *   1. `await proveDeposit(chain, hash, { from, amount })` (prove.ts), outside a transaction: throws with
 *      the reason if this hash can never be used, else returns how many confirmations it has and needs.
 *   2. `claimDeposit(tx, chain, { payer, product, txHash, amount, details })`: stores the claim. A repeat returns
 *      the first claim with its state; a hash that was used already is refused.
 *   3. a `Claimant` in the worker's list: its `credit` is called once, in the transaction that books the payment, when
 *      the payment is final and its amount is exactly the claim's. It posts custody → its account and returns the key
 *      of that posting. If it throws an AppError (for example, a cap was reached), its writes are rolled back and the
 *      money goes to the user's `wallet` instead. After any other error it is retried later.
 *
 * Unclaimed payments go to the sender's `wallet` (book.ts). A payment from an unregistered wallet stays outside the
 * ledger: it is listed for the operator, and invariants 5 and 8 count it as recorded but unbooked, until that wallet
 * registers or the operator claims it (custody → operator).
 */
type Product = 'plan' | 'bet' | 'wallet' | 'operator'

export type ChainPayment = {
  id: string
  txHash: Hash
  from: Address
  to: Address
  valueWei: bigint
  /** The credited amount: whole micro-USDT, rounded down. */
  amount: Usdt
  blockNumber: bigint
  happenedAt: Date
}

/** Null for the operator's claims, which are for payments that no user's wallet sent. */
type Payer = { number: number; walletAddress: Address } | null
export type NewClaim = { payer: Payer; product: Product; txHash: Hash; amount: Usdt; details?: object }
export type Claim = {
  id: string
  userNumber: number | null
  product: Product
  txHash: Hash
  amount: Usdt
  details: unknown
  claimedAt: Date
  state: 'waiting' | 'credited' | 'diverted' | 'failed'
  /** Why it was diverted or failed, shown to the user. */
  note: string | null
}

export type PostingKey = { kind: PostingKind; reference: string }
export type Claimant = { product: Product; credit(tx: Tx, payment: ChainPayment, claim: Claim): Promise<PostingKey> }

const OPEN_CLAIMS_MAX = 50

/** Stores who claimed a hash, and for which product. Call `proveDeposit` first. */
export async function claimDeposit(tx: Tx, { settings }: Chain, claim: NewClaim): Promise<Claim> {
  const { payer, product, txHash, amount, details = {} } = claim
  const userNumber = payer?.number ?? null
  await lockHash(tx, txHash)
  const known = await findClaim(tx, settings.chainId, txHash, userNumber)
  if (known) {
    if (known.product === product && known.amount === amount) return known
    throw used('This transaction was already used')
  }
  await refuseBooked(tx, claim)
  await refuseFlood(tx, userNumber)
  const id = newId()
  const { claimed_at: claimedAt } = await tx
    .insertInto('chain_claims')
    .values({
      id,
      chain_id: BigInt(settings.chainId),
      tx_hash: txHash,
      user_number: userNumber,
      product,
      amount,
      details: JSON.stringify(details),
    })
    .returning('claimed_at')
    .executeTakeFirstOrThrow()
  return { id, userNumber, product, txHash, amount, details, claimedAt, state: 'waiting', note: null }
}

const used = (why: string) => new AppError('payment_used', why, 'trans_hash')

/** Takes an advisory lock, so that claims and bookings of the same hash run one at a time. */
export async function lockHash(tx: Tx, hash: Hash): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${hash}, 0))`.execute(tx)
}

export async function findClaim(
  db: Db,
  chainId: number,
  txHash: Hash,
  userNumber: number | null,
): Promise<Claim | undefined> {
  const row = await db
    .selectFrom('chain_claims')
    .selectAll()
    .where('chain_id', '=', BigInt(chainId))
    .where('tx_hash', '=', txHash)
    .where('user_number', 'is not distinct from', userNumber)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, product, details, state, note } = row
  const amount = micro(row.amount)
  return { id, userNumber, product, txHash, amount, details, claimedAt: row.claimed_at, state, note }
}

// The watcher was faster: it has already booked this payment.
async function refuseBooked(tx: Tx, { txHash, payer }: NewClaim): Promise<void> {
  const { rows } = await sql<{ booked: boolean; kind: string | null }>`
    select bool_and(b.payment_id is not null) as booked, min(b.kind::text) as kind
    from chain_payments t left join chain_bookings b on b.payment_id = t.id
    where t.tx_hash = ${txHash} and t.direction = 'in'
      and t.from_address = coalesce(${payer?.walletAddress ?? null}, t.from_address)`.execute(tx)
  if (!rows[0]?.booked) return
  if (rows[0].kind === 'chain_deposit') throw used('This payment is already in your wallet balance: pay from there')
  throw used('This transaction was already used')
}

async function refuseFlood(tx: Tx, userNumber: number | null): Promise<void> {
  if (userNumber === null) return
  const { rows } = await sql<{ open: bigint }>`
    select count(*) as open from chain_claims where user_number = ${userNumber} and state = 'waiting'`.execute(tx)
  if ((rows[0]?.open ?? 0n) >= OPEN_CLAIMS_MAX)
    throw new AppError('rate_limited', 'Too many of your payments are waiting for confirmation on chain', undefined, 60)
}

export type Cursor = { number: bigint; hash: Hash }

/** The block up to which every payment is recorded; undefined before the watcher's first pass. */
export async function findCursor(db: Db, { settings }: Chain): Promise<Cursor | undefined> {
  return db
    .selectFrom('chain_cursor')
    .select(['block_number as number', 'block_hash as hash'])
    .where('chain_id', '=', BigInt(settings.chainId))
    .executeTakeFirst()
}
