import { sql } from 'kysely'
import { sourceByAccount } from '../../../protocol/balance.ts'
import type { Id } from '../../../protocol/ids.ts'
import { smaller } from '../../../protocol/money.ts'
import { maturedOf } from '../../../protocol/referral-maturity.ts'
import type { Refusal } from '../../../protocol/rules.ts'
import { type Withdrawal, withdrawalRow, type withdrawals, withdrawalTypedData } from '../../../protocol/withdrawals.ts'
import { requireTypedSignature } from '../../chain/step-up.ts'
import type { Handlers, User } from '../../context.ts'
import { getUserBalances } from '../../ledger/balances.ts'
import { findHalt } from '../../ledger/halt.ts'
import type { Db } from '../../platform/db.ts'
import { type History, readCsv, readPage } from '../../platform/history.ts'
import { ADDED_ONLY } from '../../platform/history-days.ts'
import { throwIfRefused } from '../../platform/refusals.ts'
import { termsAt } from '../../platform/terms.ts'
import { readMaturity } from '../referrals/maturity.ts'
import type { WithdrawalRow } from './tables.ts'
import { readAutomaticBounds, readOutflowLeft, requestWithdrawal } from './withdrawals.ts'

/** Refuses while a withdrawal could be paid a second time, by an exit to the wallet that the user had before (trust). */
export type RefuseUnpublished = (db: Db, user: User) => Promise<Refusal | undefined>

export const createHandlers = (refuseUnpublished: RefuseUnpublished): Handlers<typeof withdrawals> => ({
  request: async ({ change, db, chain, clock, user }, input) => {
    const deadline = new Date(input.deadline * 1000)
    const { amount, fee, source, nonce, signature } = input
    const order = { amount, fee, source, nonce, deadline, address: user.walletAddress, chainId: chain.settings.chainId }
    await requireTypedSignature(chain, user.walletAddress, withdrawalTypedData(order), signature)
    throwIfRefused(await refuseUnpublished(db, user))
    const request = { user, amount, fee, source, nonce, deadline, signature }
    return change(
      async (tx) => {
        const row = await requestWithdrawal(tx, request, clock.now())
        return { status: 'success', Msg: messageOf(row), data: shown(row) }
      },
      { scope: 'withdrawal', key: nonce },
    )
  },

  history: async ({ db, user }, input) => ({
    status: 'success',
    Msg: 'Your withdrawals',
    ...(await readPage(db, withdrawalHistory(user.number), input)),
  }),

  historyCsv: async ({ db, user }, input) => {
    const csv = await readCsv(db, withdrawalHistory(user.number), withdrawalRow, input)
    return { status: 'success', Msg: 'Your withdrawals', file_name: 'withdrawals.csv', csv }
  },

  terms: async ({ db, user }) => {
    const terms = await termsAt(db)
    const [{ reward, referral, wallet }, maturity, left, halt, automatic, unpublished] = await Promise.all([
      getUserBalances(db, user.number),
      readMaturity(db, user.number),
      readOutflowLeft(db, user.number, terms),
      findHalt(db),
      readAutomaticBounds(db, user.number, terms),
      refuseUnpublished(db, user),
    ])
    const { each, userLeft, productLeft } = automatic
    const data = {
      daily: reward,
      referral,
      wallet,
      referral_matured: maturedOf(referral, maturity),
      referral_matures_at: maturity.nextAt,
      referral_mature_days: terms.referralMatureDays,
      fee_percent: Number(terms.withdrawalFeePercent),
      amount_min: terms.withdrawalMin,
      outflow_left: left,
      outflow_daily_max: terms.outflowDailyMax,
      automatic: { each, user_left: userLeft, product_left: smaller(productLeft, each) },
      address: user.walletAddress,
      halted: halt?.reason ?? null,
      waits: unpublished?.message ?? null,
    }
    return { status: 'success', Msg: 'What you can withdraw', data }
  },
})

const messageOf = ({ state }: WithdrawalRow): string =>
  state === 'waiting' ? 'Withdrawal requested. It is waiting for approval.' : 'Withdrawal requested. It is on its way.'

const shown = (row: WithdrawalRow): Withdrawal => ({
  id: row.id as Id<'withdrawal'>,
  amount: row.amount,
  fee: row.fee,
  net: row.net,
  source: sourceByAccount[row.source],
  address: row.to_address,
  state: row.state,
  confirmations: row.confirmations,
  confirmations_needed: row.confirmations_needed,
  note: row.note,
  tx_hash: row.tx_hash,
  requested_at: row.requested_at,
  changed_at: row.changed_at,
})

export const withdrawalHistory = (userNumber: number): History<WithdrawalRow, Withdrawal> => ({
  name: 'withdrawals',
  owner: userNumber,
  filters: ['state'],
  changesFrom: sql`least(${ADDED_ONLY}, (select (min(requested_at) at time zone 'utc')::date from withdrawals
    where state in ('requested', 'waiting', 'signed', 'sent') and user_number = ${userNumber}))`,
  rows: () => sql`select * from withdrawals where user_number = ${userNumber}`,
  at: 'requested_at',
  order: ['requested_at', 'id'],
  rowOf: shown,
})
