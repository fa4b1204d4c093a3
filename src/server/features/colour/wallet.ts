import { sql } from 'kysely'
import type { BetMove } from '../../../protocol/colour.ts'
import { refuseBetWalletMove } from '../../../protocol/colour-bets.ts'
import { AppError } from '../../../protocol/errors.ts'
import type { Address } from '../../../protocol/ids.ts'
import { type Usdt, ZERO } from '../../../protocol/money.ts'
import type { Chain } from '../../chain/client.ts'
import { type Claim, type Claimant, claimDeposit, findClaim } from '../../chain/deposits/claims.ts'
import { proveDeposit } from '../../chain/deposits/prove.ts'
import type { Context, User } from '../../context.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { lockAccounts, post } from '../../ledger/post.ts'
import { type Db, newId, type Tx } from '../../platform/db.ts'
import type { History } from '../../platform/history.ts'
import { ADDED_ONLY } from '../../platform/history-days.ts'
import { throwIfRefused } from '../../platform/refusals.ts'
import { excluded, findExclusion } from './limits.ts'

export type Move = { direction: 'deposit' | 'withdraw'; amount: Usdt }

export const alreadyRecorded = () => new AppError('already_recorded', 'Transaction already recorded', 'trans_hash')

/** Moves money between the wallet and the bet wallet. */
export async function moveInside(tx: Tx, userNumber: number, { direction, amount }: Move): Promise<void> {
  const id = newId()
  await tx.insertInto('colour_wallet_moves').values({ id, user_number: userNumber, direction, amount }).execute()
  if (direction === 'deposit') await refuseExcluded(tx, userNumber)
  const [wallet, bet] = [userAccount(userNumber, 'wallet'), userAccount(userNumber, 'bet')]
  const [kind, from, to] =
    direction === 'deposit' ? (['bet_deposit', wallet, bet] as const) : (['bet_withdrawal', bet, wallet] as const)
  const balances = await lockAccounts(tx, [wallet, bet])
  throwIfRefused(refuseBetWalletMove(amount, balances.get(from) ?? ZERO), 'amount')
  await post(tx, { kind, reference: id, movements: [{ from, to, amount }] })
}

async function refuseExcluded(db: Db, userNumber: number): Promise<void> {
  const until = await findExclusion(db, userNumber)
  if (until) throw excluded(until)
}

export type ChainDeposit = { hash: `0x${string}`; amount: Usdt; from?: Address | undefined; to?: Address | undefined }
/** Confirmations on chain. None are needed for a deposit that is credited already. */
export type Progress = { confirmations: number; needed: number }

/** Checks on chain that the user's wallet sent this USDT. The deposit watcher credits it once it is final. */
export async function proveBetDeposit(context: Context, user: User, deposit: ChainDeposit): Promise<Progress> {
  const { db, chain } = context
  const { hash, amount, from, to } = deposit
  if (from && from !== user.walletAddress)
    throw new AppError('payment_refused', 'The payment must come from your own wallet', 'from_address')
  if (to && to !== chain.settings.vault)
    throw new AppError('payment_refused', 'The payment must go to our address', 'to_address')
  const known = await findClaim(db, chain.settings.chainId, hash, user.number)
  if (known && (known.product !== 'bet' || known.amount !== amount)) throw alreadyRecorded()
  if (known?.state === 'credited') return { confirmations: 0, needed: 0 }
  if (known && known.state !== 'waiting')
    throw new AppError('payment_refused', known.note ?? 'This payment did not go to your bet wallet', 'trans_hash')
  if (!known) await refuseExcluded(db, user.number)
  return proveDeposit(chain, hash, { from: user.walletAddress, amount })
}

/** Stores a claim for a proven deposit, so the watcher credits it to the bet wallet. A repeat returns the first claim. */
export function claimBetDeposit(tx: Tx, chain: Chain, user: User, { hash, amount }: ChainDeposit): Promise<Claim> {
  const claim = { payer: user, product: 'bet' as const, txHash: hash, amount }
  return claimDeposit(tx, chain, claim).catch(asRecorded)
}

function asRecorded(error: unknown): never {
  throw error instanceof AppError && error.code === 'payment_used' ? alreadyRecorded() : error
}

/** The deposit watcher calls this once, when a claimed payment is final. */
export const betClaimant: Claimant = {
  product: 'bet',
  async credit(tx, payment, { id, userNumber }) {
    if (userNumber === null) throw new Error('a bet deposit has no user')
    const movements = [{ from: systemAccount('custody'), to: userAccount(userNumber, 'bet'), amount: payment.amount }]
    await post(tx, { kind: 'bet_deposit', reference: id, movements })
    return { kind: 'bet_deposit', reference: id }
  },
}

/** Moves inside the product, and deposits from the chain. */
export const moveHistory = (userNumber: number): History<BetMove & { id: string }, BetMove> => ({
  name: 'bet wallet',
  owner: userNumber,
  filters: ['direction', 'state'],
  changesFrom: sql`least(${ADDED_ONLY}, (select (min(claimed_at) at time zone 'utc')::date from chain_claims
    where state = 'waiting' and user_number = ${userNumber}))`,
  at: 'date',
  order: ['date', 'id'],
  rows: () => sql`
    select id, direction, 'wallet' as source, amount, null as trans_hash, 'done' as state, moved_at as date
    from colour_wallet_moves where user_number = ${userNumber}
    union all
    select id, 'deposit', 'chain', amount, tx_hash,
      case state when 'credited' then 'done' when 'waiting' then 'pending' when 'diverted' then 'to wallet'
        else 'failed' end, claimed_at
    from chain_claims where user_number = ${userNumber} and product = 'bet'`,
  rowOf: ({ id: _id, ...row }) => row,
})
