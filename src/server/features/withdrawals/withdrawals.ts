import { sql } from 'kysely'
import { accountBySource, type MoneySource } from '../../../protocol/balance.ts'
import { AppError } from '../../../protocol/errors.ts'
import type { Address } from '../../../protocol/ids.ts'
import { formatUsdt, larger, subtract, type Usdt, ZERO } from '../../../protocol/money.ts'
import { maturedOf } from '../../../protocol/referral-maturity.ts'
import type { Terms } from '../../../protocol/terms.ts'
import {
  type AutomaticBounds,
  refuseWithdrawal,
  reviewReason,
  type WithdrawalState,
  withdrawalParts,
} from '../../../protocol/withdrawals.ts'
import { requireTimely } from '../../chain/step-up.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { requireRunning } from '../../ledger/halt.ts'
import { lockAccounts, post } from '../../ledger/post.ts'
import { type Db, newId, type Tx } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import { addNews } from '../../platform/news.ts'
import { throwIfRefused } from '../../platform/refusals.ts'
import { termsAt } from '../../platform/terms.ts'
import { readMaturity } from '../referrals/maturity.ts'
import type { WithdrawalRow } from './tables.ts'

export type Request = {
  user: { number: number; walletAddress: Address }
  amount: Usdt
  /** What the user was shown and signed. */
  fee: Usdt
  source: MoneySource
  nonce: string
  deadline: Date
  signature: string
}

/** Reserves the money of a signed request. It leaves the user's account now, so it cannot be spent twice. */
export async function requestWithdrawal(tx: Tx, request: Request, now: Date): Promise<WithdrawalRow> {
  const { user, amount, source } = request
  await requireWallet(tx, user)
  const accounts = (['wallet', 'reward', 'referral'] as const).map((kind) => userAccount(user.number, kind))
  const balances = await lockAccounts(tx, accounts)
  requireTimely(request.deadline, now)
  await requireRunning(tx)
  const from = userAccount(user.number, accountBySource[source])
  const terms = await termsAt(tx)
  const outflowLeft = await readOutflowLeft(tx, user.number, terms)
  const held = balances.get(from) ?? ZERO
  const matured =
    source === 'referral'
      ? { amount: maturedOf(held, await readMaturity(tx, user.number)), days: terms.referralMatureDays }
      : undefined
  const bounds = { amountMin: terms.withdrawalMin, held, matured, outflowLeft }
  throwIfRefused(refuseWithdrawal(amount, bounds), 'amount')
  requireFee(request, terms)
  const row = await insertWithdrawal(tx, request, terms)
  await post(tx, {
    kind: 'withdrawal',
    reference: row.id,
    movements: [
      { from, to: systemAccount('payout_pending'), amount: row.net },
      { from, to: systemAccount('fees'), amount: row.fee },
    ],
  })
  await publishChange(tx, row)
  return row
}

/**
 * The request may have waited while the user's wallet changed (withdrawals_wallets.sql). The lock keeps the wallet as it
 * is until the commit, and a change then waits until this withdrawal is closed.
 */
async function requireWallet(tx: Tx, { number, walletAddress }: Request['user']): Promise<void> {
  const { rows } = await sql`
    select from users where number = ${number} and wallet_address = ${walletAddress} for key share`.execute(tx)
  if (rows.length === 0) throw new AppError('unauthenticated', 'The wallet of your account has changed. Sign in again.')
}

/** The terms may have changed since the user signed. Then they decide again, with the new figure. */
function requireFee({ amount, fee: signed }: Request, { withdrawalFeePercent }: Terms): void {
  const { fee } = withdrawalParts(amount, withdrawalFeePercent)
  if (fee === signed) return
  throw new AppError(
    'amount_mismatch',
    `The withdrawal fee is ${withdrawalFeePercent}%: ${formatUsdt(fee)} USDT for this withdrawal. You signed ${formatUsdt(signed)} USDT. Nothing was withdrawn. Check the new fee and sign again.`,
    'fee',
  )
}

/** How much the user can still withdraw today (UTC). */
export async function readOutflowLeft(db: Db, userNumber: number, { outflowDailyMax }: Terms): Promise<Usdt> {
  const { rows } = await sql<{ withdrawn: Usdt }>`select withdrawn_today(${userNumber}) as withdrawn`.execute(db)
  return larger(ZERO, subtract(outflowDailyMax, rows[0]?.withdrawn ?? ZERO))
}

/** How much can still go out today (UTC) without an operator. */
export async function readAutomaticBounds(db: Db, userNumber: number, terms: Terms): Promise<AutomaticBounds> {
  const { rows } = await sql<{ by_user: Usdt; by_all: Usdt }>`
    select withdrawn_unattended(now(), ${userNumber}) as by_user, withdrawn_unattended(now()) as by_all`.execute(db)
  const left = (max: Usdt, used = ZERO) => larger(ZERO, subtract(max, used))
  return {
    each: terms.withdrawalAutomaticMax,
    userLeft: left(terms.withdrawalAutomaticDailyMax, rows[0]?.by_user),
    productLeft: left(terms.withdrawalAutomaticProductDailyMax, rows[0]?.by_all),
  }
}

async function insertWithdrawal(tx: Tx, request: Request, terms: Terms): Promise<WithdrawalRow> {
  const { user, amount, fee, source, nonce, deadline, signature } = request
  // One request at a time, so that two of them cannot use the same rest of a limit.
  await sql`select pg_advisory_xact_lock(hashtextextended('automatic withdrawals', 0))`.execute(tx)
  const reason = reviewReason(amount, await readAutomaticBounds(tx, user.number, terms))
  return tx
    .insertInto('withdrawals')
    .values({
      id: newId(),
      user_number: user.number,
      source: accountBySource[source],
      amount,
      fee,
      to_address: user.walletAddress,
      nonce,
      deadline,
      signature,
      state: reason === undefined ? 'requested' : 'waiting',
      note: reason ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export type Change = { note?: string | null; tx_hash?: WithdrawalRow['tx_hash'] }

/** Changes the state if the current one is in `from`. The database refuses transitions outside the state graph. */
export async function changeState(
  tx: Tx,
  id: string,
  from: WithdrawalState[],
  to: WithdrawalState,
  change: Change = {},
): Promise<WithdrawalRow | undefined> {
  const row = await tx
    .updateTable('withdrawals')
    .set({ state: to, note: null, ...change })
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst()
  if (row) await publishChange(tx, row)
  return row
}

export async function publishChange(tx: Tx, { id, user_number, state, confirmations }: WithdrawalRow): Promise<void> {
  await publish(
    tx,
    { topic: 'withdrawal', user: user_number, data: { id: `withdrawal_${id}`, state, confirmations } },
    { topic: 'balance', user: user_number },
  )
}

/** Returns net amount and fee to the source account: the operator refused the withdrawal, or it cannot be paid. */
export async function returnMoney(
  tx: Tx,
  id: string,
  from: WithdrawalState[],
  to: 'refused' | 'refunded',
  note: string,
): Promise<WithdrawalRow | undefined> {
  const row = await changeState(tx, id, from, to, { note })
  if (!row) return undefined
  const target = userAccount(row.user_number, row.source)
  await post(tx, {
    kind: 'withdrawal_return',
    reference: id,
    movements: [
      { from: systemAccount('payout_pending'), to: target, amount: row.net },
      { from: systemAccount('fees'), to: target, amount: row.fee },
    ],
  })
  const kind = to === 'refused' ? 'withdrawal_refused' : 'withdrawal_returned'
  await addNews(tx, { kind, user: row.user_number, key: id, facts: { amount: row.amount } })
  return row
}
