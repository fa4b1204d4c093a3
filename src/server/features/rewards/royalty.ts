import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../../protocol/errors.ts'
import { formatUsdt, type Usdt } from '../../../protocol/money.ts'
import { terms } from '../../../protocol/terms.ts'
import { addDays, type Day } from '../../../protocol/time.ts'
import { systemAccount, userAccount } from '../../ledger/accounts.ts'
import { post } from '../../ledger/post.ts'
import type { Tx } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'

const LOCK = 7_121

const monthOf = (day: Day): Day => `${day.slice(0, 7)}-01` as Day
/** The month before the current one, as its first day. */
export const lastMonth = (today: Day): Day => monthOf(addDays(monthOf(today), -1))

/** Fixes a month's budget and every user's share of it, once. Unclaimed shares become part of the next budget. */
export async function closeMonth(tx: Tx, month: Day): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
  const known = await tx.selectFrom('royalty_months').select('month').where('month', '=', month).executeTakeFirst()
  if (known) return
  const nextMonth = sql`(${month}::date + interval '1 month')::date`
  const ranks = sql.join(
    terms.ranks.map(({ name, volumeMin, weight }) => sql`(${name}, ${volumeMin}::bigint, ${weight}::bigint)`),
  )
  await sql`
    with ranked as (
      select user_number, volume, rank, weight
      from (${volumesAt(nextMonth)}) as team,
        lateral (
          select rank, weight from (values ${ranks}) as ranks (rank, volume_min, weight)
          where volume_min <= volume order by volume_min desc limit 1
        ) as reached
    ), closed as (
      insert into royalty_months (month, budget, weight)
      select ${month}::date, (${budgetAt(nextMonth)}), coalesce(sum(weight), 0) from ranked
      returning budget, weight
    )
    insert into royalty_shares (id, month, user_number, rank, volume, weight, amount)
    select uuidv7(), ${month}::date, user_number, rank, volume, ranked.weight,
           div(closed.budget::numeric * ranked.weight, closed.weight)::bigint
    from ranked, closed`.execute(tx)
}

/**
 * The team volumes just before a day begins, from the terms of the plans. So purchases after the month's end do not
 * count for it, and closing a month late changes nothing (R29). Users with the same ancestors are summed first.
 */
const volumesAt = (day: RawBuilder<unknown>) => sql`
  select ancestor as user_number, sum(volume)::bigint as volume
  from (
      select trim_array(path, 1) as above, sum(amount) as volume
      from plan_lots join users on users.number = user_number
      where started_on < ${day} and matures_on >= ${day} and cardinality(path) > 1
      group by above
    ) as siblings, unnest(above) as ancestor
  group by ancestor`

/** The pool's balance just before a day begins, from its entries. */
const budgetAt = (day: RawBuilder<unknown>) => sql`
  coalesce((
    select balance_after from ledger_entries
    where account_id = ${systemAccount('royalty_pool')} and posted_at < ${day}::timestamp at time zone 'utc'
    order by version desc limit 1), 0)`

export type Royalty = { month: Day; rank: string; amount: Usdt; paidNow: boolean }

/** Pays a user's share of the last month, once. A job closes the month; until then nothing is paid. */
export async function releaseRoyalty(tx: Tx, userNumber: number, today: Day): Promise<Royalty> {
  const month = lastMonth(today)
  const closed = await tx.selectFrom('royalty_months').select('month').where('month', '=', month).executeTakeFirst()
  if (!closed) throw new AppError('not_eligible', openText(month))
  const share = await tx
    .selectFrom('royalty_shares')
    .select(['id', 'rank', 'amount', 'paid_at'])
    .where('month', '=', month)
    .where('user_number', '=', userNumber)
    .forUpdate()
    .executeTakeFirst()
  if (!share) throw new AppError('not_eligible', missingText(month))
  const { id, rank, amount } = share
  if (share.paid_at) return { month, rank, amount, paidNow: false }
  if (amount === 0n)
    throw new AppError('nothing_to_pay', `The royalty pool was empty at the end of ${month.slice(0, 7)}`)
  const movement = { from: systemAccount('royalty_pool'), to: userAccount(userNumber, 'referral'), amount }
  await post(tx, { kind: 'royalty', reference: id, movements: [movement] })
  await tx.updateTable('royalty_shares').set({ paid_at: sql<Date>`now()` }).where('id', '=', id).execute()
  await publish(tx, { topic: 'balance', user: userNumber })
  return { month, rank, amount, paidNow: true }
}

const openText = (month: Day) =>
  `The royalty of ${month.slice(0, 7)} is computed shortly after the month ends. Try again in a few minutes.`

function missingText(month: Day): string {
  const [lowest] = terms.ranks
  return `${lowest.name} needs a team volume of ${formatUsdt(lowest.volumeMin)} USDT; yours was lower at the end of ${month.slice(0, 7)}`
}
