import { AppError } from '../../../protocol/errors.ts'
import { formatUsdt, type Usdt } from '../../../protocol/money.ts'
import { earningRow, type rewards } from '../../../protocol/rewards.ts'
import type { Handlers } from '../../context.ts'
import { readToday } from '../../platform/clock.ts'
import { readCsv, readPage } from '../../platform/history.ts'
import { type Claimed, claimRewards } from './daily.ts'
import { earningHistory, listReferralRewards } from './history.ts'
import { lastMonth } from './royalty.ts'
import { estimateRoyalty, findLastClosed, listShares, releaseRoyalty } from './royalty-claims.ts'

export const handlers: Handlers<typeof rewards> = {
  claim: ({ change, user, clock }, { user_id }) =>
    change(async (tx) => {
      if (user_id !== user.id) throw new AppError('forbidden', 'You can only claim your own rewards', 'user_id')
      const claimed = await claimRewards(tx, user.number, await readToday(tx, clock))
      const { paid, healthPaid, deferred } = claimed
      return { status: 'success', Msg: claimText(claimed), paid, health_paid: healthPaid, deferred }
    }),

  earnings: async ({ db, user }, input) => ({
    status: 'success',
    Msg: 'Daily rewards',
    ...(await readPage(db, earningHistory(user.number), input)),
  }),

  earningsCsv: async ({ db, user }, input) => {
    const csv = await readCsv(db, earningHistory(user.number), earningRow, input)
    return { status: 'success', Msg: 'Daily rewards', file_name: 'daily-rewards.csv', csv }
  },

  referrals: async ({ db, user }, input) => ({
    status: 'success',
    Msg: 'Referral rewards',
    ...(await listReferralRewards(db, user.number, input)),
  }),

  royalty: ({ change, user, clock }) =>
    change(async (tx) => {
      const released = await releaseRoyalty(tx, user.number, await readToday(tx, clock))
      const { month, rank, amount, paidNow } = released
      return { status: 'success', Msg: royaltyText(paidNow, amount), month, rank, amount, paid_now: paidNow }
    }),

  royaltySummary: async ({ db, user, clock }) => {
    const today = await readToday(db, clock)
    const [estimate, last_closed, shares] = await Promise.all([
      estimateRoyalty(db, user.number, today),
      findLastClosed(db),
      listShares(db, user.number, today),
    ])
    return { status: 'success', Msg: 'Your royalty', estimate, last_month: lastMonth(today), last_closed, shares }
  },
}

function claimText({ paid, deferred }: Claimed): string {
  if (paid > 0n) return `Your plans earned ${formatUsdt(paid)} USDT`
  if (deferred > 0n) return `You earned ${formatUsdt(deferred)} USDT. It is paid as soon as the reward pool is funded.`
  return 'Nothing is due yet. Your next reward comes after midnight UTC.'
}

const royaltyText = (paidNow: boolean, amount: Usdt) =>
  paidNow
    ? `Your royalty of ${formatUsdt(amount)} USDT is in your referral rewards`
    : 'You have already received this royalty'
