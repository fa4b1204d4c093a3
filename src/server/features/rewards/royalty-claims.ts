import { sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import { formatUsdt, micro, portion, type Usdt, ZERO } from '../../../protocol/money.ts'
import { rankOf } from '../../../protocol/referrals.ts'
import type { RoyaltyShare } from '../../../protocol/rewards.ts'
import type { Rank } from '../../../protocol/terms.ts'
import type { Day } from '../../../protocol/time.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { post } from '../../ledger/post.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import { termsAt } from '../../platform/terms.ts'
import { getTeamTotals } from '../referrals/totals.ts'
import { endOf, lastMonth, monthOf, openClaims, rankedTeams } from './royalty.ts'

type Royalty = { month: Day; rank: string; amount: Usdt; paidNow: boolean }

/**
 * Pays a user's share of the last closed month, once. If several months were closed late, each call pays one of them,
 * oldest first.
 */
export async function releaseRoyalty(tx: Tx, userNumber: number, today: Day): Promise<Royalty> {
  const share = await lockClaim(tx, userNumber, today)
  if (!share) return findPaid(tx, userNumber, today)
  const { id, month, rank, amount } = share
  const movement = { from: systemAccount('royalty_pool'), to: userAccount(userNumber, 'referral'), amount }
  await post(tx, { kind: 'royalty', reference: id, movements: [movement] })
  await tx.updateTable('royalty_shares').set({ paid_at: sql<Date>`now()` }).where('id', '=', id).execute()
  await publish(tx, { topic: 'balance', user: userNumber })
  return { month, rank, amount, paidNow: true }
}

const lockClaim = (tx: Tx, userNumber: number, today: Day) =>
  tx
    .selectFrom('royalty_shares as share')
    .innerJoin('royalty_months', 'royalty_months.month', 'share.month')
    .select(['share.id', 'share.month', 'share.rank', 'share.amount'])
    .where('share.user_number', '=', userNumber)
    .where('share.paid_at', 'is', null)
    .where('share.amount', '>', ZERO)
    .where('claimable_until', '>=', today)
    .orderBy('share.month')
    .limit(1)
    .forUpdate('share')
    .executeTakeFirst()

/** The share of last month if it is paid already. Otherwise says why there is nothing to pay. */
async function findPaid(tx: Tx, userNumber: number, today: Day): Promise<Royalty> {
  const month = lastMonth(today)
  const closed = await tx.selectFrom('royalty_months').select('month').where('month', '=', month).executeTakeFirst()
  if (!closed) throw new AppError('not_eligible', openText(month))
  const share = await tx
    .selectFrom('royalty_shares')
    .select(['rank', 'amount', 'paid_at'])
    .where('month', '=', month)
    .where('user_number', '=', userNumber)
    .executeTakeFirst()
  if (!share) throw new AppError('not_eligible', missingText(month, (await termsAt(tx, endOf(month))).ranks))
  if (!share.paid_at)
    throw new AppError('nothing_to_pay', `The royalty pool was empty at the end of ${month.slice(0, 7)}`)
  return { month, rank: share.rank, amount: share.amount, paidNow: false }
}

const openText = (month: Day) =>
  `The royalty of ${month.slice(0, 7)} is computed shortly after the month ends. Try again in a few minutes.`

function missingText(month: Day, [lowest]: readonly Rank[]): string {
  return `${lowest?.name} needs a team volume of ${formatUsdt(lowest?.volumeMin ?? ZERO)} USDT; yours was lower at the end of ${month.slice(0, 7)}`
}

/**
 * What the user would get if this month ended now. Open claims of earlier months are left out of the budget, because
 * most of them will be paid from it.
 */
export async function estimateRoyalty(db: Db, userNumber: number, today: Day) {
  const { volume } = await getTeamTotals(db, userNumber)
  const { ranks } = await termsAt(db)
  const { rank } = rankOf(volume, ranks)
  const others = rankedTeams(sql`select user_number, volume from team_totals where user_number <> ${userNumber}`, ranks)
  const { rows } = await sql<{ budget: bigint; others: bigint }>`
    select balance - ${openClaims(sql`${today}::date`)} as budget,
           (select coalesce(sum(weight), 0)::bigint from (${others}) as team) as others
    from ledger_accounts where id = ${systemAccount('royalty_pool')}`.execute(db)
  if (!rows[0]) throw new Error('the royalty pool was never opened')
  const budget = micro(rows[0].budget)
  const weight = rank?.weight ?? 0n
  const total = rows[0].others + weight
  return {
    month: monthOf(today),
    rank: rank?.name ?? null,
    amount: total > 0n ? portion(budget, weight, total) : ZERO,
    budget,
    weight: Number(weight),
    weight_total: Number(total),
  }
}

/** Every share the user ever had, newest first. One row per month, so the list stays short. */
export async function listShares(db: Db, userNumber: number, today: Day): Promise<RoyaltyShare[]> {
  const rows = await db
    .selectFrom('royalty_shares as share')
    .innerJoin('royalty_months', 'royalty_months.month', 'share.month')
    .select(['share.month', 'share.rank', 'share.amount', 'share.paid_at', 'claimable_until'])
    .where('share.user_number', '=', userNumber)
    .orderBy('share.month', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, state: stateOf(row, today) }))
}

function stateOf(share: Omit<RoyaltyShare, 'state'>, today: Day): RoyaltyShare['state'] {
  if (share.paid_at) return 'paid'
  if (share.amount === ZERO) return 'empty'
  return share.claimable_until >= today ? 'open' : 'expired'
}

export async function findLastClosed(db: Db): Promise<Day | null> {
  const row = await db.selectFrom('royalty_months').select('month').orderBy('month', 'desc').limit(1).executeTakeFirst()
  return row?.month ?? null
}
