import { sql } from 'kysely'
import type { Address } from '../../protocol/ids.ts'
import { formatUsdt, micro, parseUsdt, WEI_PER_MICRO } from '../../protocol/money.ts'
import type { Chain } from '../chain/client.ts'
import { SWEEP_GAS_BASE, SWEEP_GAS_EACH } from '../chain/deposit-abi.ts'
import { claimDeposit, findClaim, lockHash } from '../chain/deposits/claims.ts'
import { findTransaction, formatWei, sweepData } from '../chain/deposits/lookup.ts'
import { DEPOSIT_FACTORY_ADDRESS, personalAddressOf } from '../chain/deposits/personal.ts'
import type { Hash } from '../chain/tables.ts'
import type { Db, Tx } from '../platform/db.ts'
import { type ActCommand, amountAt, type Command, type Ops, table, wordAt, wrong } from './command.ts'
import { getUser, listWallets } from './user-commands.ts'

function hashAt(ops: Ops, at: number): Hash {
  const hash = wordAt(ops, at, 'The hash').toLowerCase()
  if (!/^0x[0-9a-f]{64}$/.test(hash)) throw wrong('That is not a transaction hash')
  return hash as Hash
}

/** Whose wallet or deposit address this is. A deposit address need not be asked for, so each wallet's is computed. */
async function findOwner(db: Db, { settings }: Chain, address: Address): Promise<string | undefined> {
  const users = await db
    .selectFrom('user_wallets as w')
    .innerJoin('users as u', 'u.number', 'w.user_number')
    .select(['u.username', 'w.wallet_address'])
    .execute()
  const owner = users.find(({ wallet_address }) => wallet_address === address)
  if (owner) return `wallet of ${owner.username}`
  const holder = users.find(({ wallet_address }) => personalAddressOf(settings.vault, wallet_address) === address)
  return holder && `deposit address of ${holder.username}`
}

const describeAddress = async (db: Db, chain: Chain, address: Address): Promise<string> =>
  address === chain.settings.vault ? 'the vault' : ((await findOwner(db, chain, address)) ?? 'unknown')

type Recorded = { id: string; from: Address; wei: string; kind: string | null; isBooked: boolean }

/** What we recorded as paid to us in this transaction. Only final payments are recorded. */
async function listRecorded(db: Db, hash: Hash): Promise<Recorded[]> {
  const { rows } = await sql<Recorded>`
    select t.id, t.from_address as from, t.value_wei as wei, b.kind, b.payment_id is not null as "isBooked"
    from chain_payments t left join chain_bookings b on b.payment_id = t.id
    where t.tx_hash = ${hash} and t.direction = 'in' order by t.ordinal`.execute(db)
  return rows
}

const notOurs = (how: string) => wrong(`It ${how}, and goes to that user without an operator`)

/** The recorded payments of this transaction that are not booked. Throws if there were some, and all are booked. */
async function listUnbooked(db: Tx | Db, hash: Hash): Promise<Recorded[]> {
  const recorded = await listRecorded(db, hash)
  const unbooked = recorded.filter(({ isBooked }) => !isBooked)
  if (recorded.length > 0 && unbooked.length === 0) throw wrong('This payment is booked already')
  return unbooked
}

async function refuseOwned(db: Tx | Db, chain: Chain, { from }: { from: Address }): Promise<void> {
  const owner = await findOwner(db, chain, from)
  if (owner) throw notOurs(`comes from the ${owner}`)
}

/** The one payment of this transaction that belongs to no user, in USDT. Throws the reason why it cannot be credited. */
async function getUnowned(db: Tx | Db, chain: Chain, hash: Hash) {
  const [payment, ...others] = await listUnbooked(db, hash)
  if (!payment) throw wrong('This transaction pays us nothing, or it is not final yet')
  if (others.length > 0) throw wrong('This transaction has several payments that are not booked')
  await refuseOwned(db, chain, payment)
  if (BigInt(payment.wei) % WEI_PER_MICRO !== 0n) throw wrong('Its amount has more than six decimals')
  return formatUsdt(micro(BigInt(payment.wei) / WEI_PER_MICRO))
}

/** Throws if a user gets this payment without an operator. The chain is asked about one that is not recorded. */
async function refuseUsersPayment({ db, chain }: Ops['context'], hash: Hash): Promise<void> {
  const unbooked = await listUnbooked(db, hash)
  for (const payment of unbooked) await refuseOwned(db, chain, payment)
  if (unbooked.length > 0) return
  const { transfers = [] } = (await findTransaction(chain, hash)) ?? {}
  for (const { to, from } of transfers.filter(({ token }) => token === chain.settings.usdt)) {
    const receiver = await findOwner(db, chain, to)
    if (receiver) throw notOurs(`went to the ${receiver}`)
    await refuseOwned(db, chain, { from })
  }
}

export const claim: ActCommand = {
  name: 'deposits claim',
  takes: '<hash> <amount>',
  summary: "books a deposit from an unregistered wallet as the operator's",
  async prepare(ops) {
    const hash = hashAt(ops, 0)
    const amount = formatUsdt(amountAt(ops, 1))
    await refuseUsersPayment(ops.context, hash)
    return { hash, amount }
  },
  /** What is recorded is checked again. A payment that is not, and turns out to be a user's, is booked to that user. */
  async perform(tx, { context: { chain }, act }) {
    const txHash = act['hash'] as Hash
    await lockHash(tx, txHash)
    for (const payment of await listUnbooked(tx, txHash)) await refuseOwned(tx, chain, payment)
    if (await findClaim(tx, chain.settings.chainId, txHash, null)) throw wrong(CLAIMED)
    const amount = parseUsdt(act['amount'] ?? '')
    await claimDeposit(tx, chain, { payer: null, product: 'operator', txHash, amount })
    return 'Claimed. If no user sent it, the worker books it within a few seconds.'
  },
}

const CLAIMED = 'This payment was claimed already'

const creditCommand: ActCommand = {
  name: 'deposits credit',
  takes: '<hash> <user>',
  summary: 'credits USDT that an unknown wallet paid to the vault to a user; two operators must sign',
  async prepare(ops) {
    const { db, chain } = ops.context
    const hash = hashAt(ops, 0)
    const user = await getUser(ops, 1)
    return { hash, user: String(user.number), username: user.username, amount: await getUnowned(db, chain, hash) }
  },
  /** Checked again: since it was proposed, the sender may have registered, or the payment may have been booked. */
  async perform(tx, { context: { chain }, act }) {
    const [txHash, amount] = [act['hash'] as Hash, act['amount'] ?? '']
    await lockHash(tx, txHash)
    if ((await getUnowned(tx, chain, txHash)) !== amount) throw wrong('The payment has another amount')
    const details = { user: act['user'] }
    const claim = { payer: null, product: 'operator', txHash, amount: parseUsdt(amount), details } as const
    const { details: stored } = await claimDeposit(tx, chain, claim)
    if ((stored as { user?: string }).user !== act['user']) throw wrong(CLAIMED)
    return `${amount} USDT go to the wallet balance of ${act['username']} within a few seconds.`
  },
}

/** Everything we know about a payment: what the chain says, whose addresses these are, and how it was booked. */
async function payment(ops: Ops): Promise<undefined> {
  const { db, chain } = ops.context
  const hash = hashAt(ops, 0)
  const found = await findTransaction(chain, hash)
  if (!found) return void ops.write('The chain does not have this transaction. It may be on another network.')
  ops.write(`block ${found.block}, ${found.hasSucceeded ? 'succeeded' : 'failed: it moved nothing'}`)
  const cells = await Promise.all(
    found.transfers.map(async ({ token, amount, from, to }) => [
      token === chain.settings.usdt ? 'USDT' : token,
      amount,
      await describeAddress(db, chain, from),
      await describeAddress(db, chain, to),
    ]),
  )
  if (cells.length > 0) ops.write(table(['token', 'amount (18 decimals)', 'from', 'to'], cells))
  const recorded = await listRecorded(db, hash)
  for (const { wei, kind, isBooked } of recorded)
    ops.write(`${formatWei(BigInt(wei))} USDT to us: ${isBooked ? `booked as ${kind ?? 'dust'}` : 'not booked'}`)
  if (recorded.length === 0) ops.write('It is not recorded as a payment to us.')
  return undefined
}

/**
 * Prints the calls that return a token sent by mistake, one for each wallet that the user has or had. Any caller will do:
 * the contract pays only the wallet of the address.
 */
async function returnToken(ops: Ops): Promise<undefined> {
  const { vault } = ops.context.chain.settings
  const user = await getUser(ops)
  const wallets = await listWallets(ops.context.db, user.number)
  const token = wordAt(ops, 1, 'The token').toLowerCase()
  if (!/^0x[0-9a-f]{40}$/.test(token)) throw wrong('That is not the address of a token. For BNB: 0x and 40 zeros')
  for (const wallet of wallets)
    ops.write(
      table(
        ['field', 'value'],
        [
          ['to', DEPOSIT_FACTORY_ADDRESS],
          ['data', sweepData(vault, token as Address, wallet)],
          ['gas limit', String(SWEEP_GAS_BASE + SWEEP_GAS_EACH)],
          ['from deposit address', personalAddressOf(vault, wallet)],
          ['to the wallet of', `${user.username}, ${wallet}`],
        ],
      ),
    )
  ops.write('Send this call from any wallet with BNB. The contract sends the token only to that wallet.')
  ops.write('Set this gas limit: tools estimate less, and then the call succeeds but moves nothing.')
  return undefined
}

export const paymentCommands: (Command | ActCommand)[] = [
  {
    name: 'payment',
    takes: '<hash>',
    summary: 'what the chain and the books say about a payment, and whose addresses it names',
    run: payment,
  },
  claim,
  creditCommand,
  {
    name: 'deposits return',
    takes: '<user> <token>',
    summary: 'prints the call that sends another token from a deposit address to its user’s own wallet',
    run: returnToken,
  },
]
