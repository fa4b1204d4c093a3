import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import type { Address } from '../../../protocol/ids.ts'
import { formatUsdt, micro, type Usdt, WEI_PER_MICRO } from '../../../protocol/money.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { post } from '../../ledger/post.ts'
import { type Db, type Tx, transaction } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import type { Log } from '../../platform/log.ts'
import { addNews } from '../../platform/news.ts'
import type { Chain } from '../client.ts'
import type { Hash } from '../tables.ts'
import { readSigned, type Signed } from '../treasury.ts'
import { type ChainPayment, type Claim, type Claimant, findClaim, lockHash, type PostingKey } from './claims.ts'
import { payerOf, requirePersonal } from './personal.ts'

/** How long an unclaimed payment waits for its claim before it goes to the sender's wallet balance. */
const CLAIM_GRACE_SECONDS = 20
const BATCH_MAX = 200

/**
 * Finds the withdrawal that an outgoing payment belongs to, and settles it. `signed` is the payment's transaction if no
 * payout in our books has it.
 */
export type Settle = (tx: Tx, chain: Chain, payment: ChainPayment, signed?: Signed) => Promise<PostingKey | undefined>
/** A query for every user's number and registered wallet, because this module may not name the users table. */
export type WalletOwners = RawBuilder<{ user_number: number; wallet_address: Address }>
export type Booker = {
  db: Db
  chain: Chain
  log: Log
  owners: WalletOwners
  claimants: readonly Claimant[]
  settle: Settle
}

/** Books every recorded payment that can be booked, each in its own transaction. */
export async function bookPayments(booker: Booker): Promise<void> {
  const { rows } = await sql<{ id: string; lostHash: Hash | null }>`
    select t.id, case when t.direction = 'out' and not exists (select from chain_payout_attempts a
      where a.tx_hash = t.tx_hash) then t.tx_hash end as "lostHash"
    from chain_unbooked w join chain_payments t on t.id = w.payment_id
    where t.direction = 'out'
      or exists (${payerOf(booker.owners)})
      or exists (select from chain_claims c where c.tx_hash = t.tx_hash and c.user_number is null)
      or t.value_wei < ${WEI_PER_MICRO.toString()}::numeric
    order by t.block_number, t.tx_hash, t.ordinal
    limit ${BATCH_MAX}`.execute(booker.db)
  for (const { id, lostHash } of rows) {
    try {
      // Read before the transaction, so that no lock waits for a node.
      const signed = lostHash ? await readSigned(booker.chain, lostHash) : undefined
      await transaction(booker.db, (tx) => bookPayment(tx, booker, id, signed))
    } catch (error) {
      booker.log.error({ err: error, payment: id }, 'a chain payment could not be booked and will be retried')
    }
  }
}

async function bookPayment(tx: Tx, booker: Booker, id: string, signed?: Signed): Promise<void> {
  const row = await sql<Row>`
    select t.*, t.recorded_at < now() - ${CLAIM_GRACE_SECONDS} * interval '1 second' as "isOld",
           payer.user_number as "userNumber", payer.wallet as "personalOf"
    from chain_payments t left join lateral (${payerOf(booker.owners)}) payer on true
    where t.id = ${id}`
    .execute(tx)
    .then(({ rows }) => rows[0])
  if (!row) return
  await lockHash(tx, row.tx_hash)
  const waits = await tx.deleteFrom('chain_unbooked').where('payment_id', '=', id).executeTakeFirst()
  if (waits.numDeletedRows === 0n) return
  const booked = row.direction === 'out' ? await settleOut(tx, booker, row, signed) : await creditIn(tx, booker, row)
  if (!booked) {
    await tx.insertInto('chain_unbooked').values({ payment_id: id }).execute()
    return
  }
  const { amount } = paymentOf(row)
  await tx
    .insertInto('chain_bookings')
    .values({
      payment_id: id,
      ...(booked.key ?? { kind: null, reference: null }),
      amount,
      remainder_wei: (BigInt(row.value_wei) % WEI_PER_MICRO).toString(),
      claim_id: booked.claimId ?? null,
    })
    .execute()
}

type Row = {
  id: string
  tx_hash: Hash
  direction: 'in' | 'out'
  from_address: `0x${string}`
  to_address: `0x${string}`
  value_wei: string
  block_number: bigint
  happened_at: Date
  isOld: boolean
  userNumber: number | null
  /** The user's wallet, if the payment comes from their deposit address. */
  personalOf: Address | null
}
/** Undefined: not booked yet. Without a key: less than one micro-USDT, so nothing was posted. */
type Booked = { key?: PostingKey; claimId?: string } | undefined

function paymentOf(row: Row): ChainPayment {
  const valueWei = BigInt(row.value_wei)
  return {
    id: row.id,
    txHash: row.tx_hash,
    from: row.from_address,
    to: row.to_address,
    valueWei,
    amount: micro(valueWei / WEI_PER_MICRO),
    blockNumber: row.block_number,
    happenedAt: row.happened_at,
  }
}

async function settleOut(tx: Tx, { settle, chain }: Booker, row: Row, signed?: Signed): Promise<Booked> {
  const key = await settle(tx, chain, paymentOf(row), signed)
  return key && { key }
}

async function creditIn(tx: Tx, booker: Booker, row: Row): Promise<Booked> {
  const payment = paymentOf(row)
  if (payment.amount === 0n) return {}
  if (row.personalOf && row.userNumber !== null) {
    requirePersonal(row.from_address, row.to_address, row.personalOf)
    return { key: await creditWallet(tx, payment, row.userNumber) }
  }
  const claim = await findClaim(tx, booker.chain.settings.chainId, row.tx_hash, row.userNumber)
  if (claim?.state === 'waiting') {
    if (payment.valueWei === claim.amount * WEI_PER_MICRO) {
      const key = await creditClaim(tx, booker, payment, claim)
      if (key) return { key, claimId: claim.id }
    } else if (!(await hasExactSibling(tx, row, claim.amount))) {
      const note = `${formatUsdt(payment.amount)} USDT arrived, a different amount. It is in your wallet balance.`
      await closeClaim(tx, claim, 'diverted', note)
    }
  } else if (!row.isOld) return undefined
  if (row.userNumber === null) return undefined
  return { key: await creditWallet(tx, payment, row.userNumber) }
}

/** Lets the product credit the payment. If the product no longer can, its writes are rolled back to the savepoint. */
async function creditClaim(tx: Tx, { claimants }: Booker, payment: ChainPayment, claim: Claim) {
  const claimant = claimants.find(({ product }) => product === claim.product)
  if (!claimant) throw new Error(`no claimant for ${claim.product}`)
  await sql`savepoint claim`.execute(tx)
  try {
    const key = await claimant.credit(tx, payment, claim)
    await closeClaim(tx, claim, 'credited', null)
    await tellOfProduct(tx, payment, claim)
    return key
  } catch (error) {
    if (!(error instanceof AppError) || claim.userNumber === null) throw error
    await sql`rollback to savepoint claim`.execute(tx)
    await closeClaim(tx, claim, 'diverted', `${error.message}. The money is in your wallet balance.`)
    return undefined
  }
}

/** The wallet's claimant tells of its own credit. */
async function tellOfProduct(tx: Tx, { id, amount }: ChainPayment, { product, userNumber }: Claim): Promise<void> {
  if (userNumber === null || (product !== 'plan' && product !== 'bet')) return
  await addNews(tx, { kind: 'deposit_credited', user: userNumber, key: id, facts: { amount, to: product } })
}

// One transaction may contain several payments: a claim belongs to the one with exactly its amount.
async function hasExactSibling(tx: Tx, row: Row, amount: Usdt): Promise<boolean> {
  const { rows } = await sql`
    select from chain_payments t join chain_unbooked w on w.payment_id = t.id
    where t.tx_hash = ${row.tx_hash} and t.from_address = ${row.from_address}
      and t.value_wei = ${(amount * WEI_PER_MICRO).toString()}::numeric`.execute(tx)
  return rows.length > 0
}

export async function closeClaim(
  tx: Tx,
  claim: Claim,
  state: 'credited' | 'diverted' | 'failed',
  note: string | null,
): Promise<void> {
  await tx.updateTable('chain_claims').set({ state, note, closed_at: sql`now()` }).where('id', '=', claim.id).execute()
  if (claim.userNumber !== null)
    await publish(tx, { topic: 'deposit', user: claim.userNumber, data: { tx_hash: claim.txHash, state } })
}

async function creditWallet(tx: Tx, payment: ChainPayment, userNumber: number): Promise<PostingKey> {
  const key = { kind: 'chain_deposit', reference: payment.id } as const
  const movement = { from: systemAccount('custody'), to: userAccount(userNumber, 'wallet'), amount: payment.amount }
  await post(tx, { ...key, movements: [movement] })
  const facts = { amount: payment.amount, to: 'wallet' } as const
  await addNews(tx, { kind: 'deposit_credited', user: userNumber, key: payment.id, facts })
  const data = { tx_hash: payment.txHash, amount: formatUsdt(payment.amount) }
  await publish(tx, { topic: 'deposit', user: userNumber, data })
  return key
}

/** Deposits announced on the wallet page: credited to the wallet balance. */
export const walletClaimant: Claimant = {
  product: 'wallet',
  credit: (tx, payment, claim) => creditWallet(tx, payment, claim.userNumber ?? 0),
}

/**
 * Deposits by the operator: a claim without a user, for a payment that no user's wallet sent. If two operators named a user
 * in it, that user gets the money; the database refuses such a claim without their act.
 */
export const operatorClaimant: Claimant = {
  product: 'operator',
  async credit(tx, payment, { details }) {
    const { user } = details as { user?: string }
    if (user !== undefined) return creditWallet(tx, payment, Number(user))
    const key = { kind: 'operator_deposit', reference: payment.id } as const
    const movement = { from: systemAccount('custody'), to: systemAccount('operator'), amount: payment.amount }
    await post(tx, { ...key, movements: [movement] })
    return key
  },
}
