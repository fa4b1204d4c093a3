import { type RawBuilder, sql } from 'kysely'
import type { Rank } from '../../../protocol/terms.ts'
import { addDays, type Day } from '../../../protocol/time.ts'
import type { Context } from '../../context.ts'
import { systemAccount } from '../../ledger/accounts.ts'
import { readToday } from '../../platform/clock.ts'
import { type Db, type Tx, transaction } from '../../platform/db.ts'
import { termsAt } from '../../platform/terms.ts'

const LOCK = 7_121

// A month is stored as its first day.
export const monthOf = (day: Day): Day => `${day.slice(0, 7)}-01` as Day
export const lastMonth = (today: Day): Day => monthOf(addDays(monthOf(today), -1))
const nextMonth = (month: Day): Day => monthOf(addDays(month, 31))
/** The first moment after a month. Its ranks are those of the terms at this time. */
export const endOf = (month: Day): Date => new Date(`${nextMonth(month)}T00:00:00Z`)

/**
 * Closes every month that has ended and is not closed yet, oldest first: the budget of a month depends on the claims of
 * the months before it.
 */
export async function closeDueMonths({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const today = await readToday(db, clock)
  const last = lastMonth(today)
  for (let month = await findOpenMonth(db, last); month <= last; month = nextMonth(month))
    await transaction(db, (tx) => closeMonth(tx, month, today))
}

/** The month after the last closed one. At first, the month of the first plan, or `last` if there is none before it. */
async function findOpenMonth(db: Db, last: Day): Promise<Day> {
  const { rows } = await sql<{ month: Day }>`
    select coalesce(
      (select max(month) + interval '1 month' from royalty_months),
      least(${last}::date, (select date_trunc('month', min(started_on)) from plan_lots)))::date as month`.execute(db)
  return rows[0]?.month ?? last
}

/**
 * Fixes a month's budget and every user's share of it, once. Shares can be claimed until the end of the month in which
 * this runs, so users keep their claim when a month is closed late. Unclaimed shares become part of a later budget.
 */
async function closeMonth(tx: Tx, month: Day, today: Day): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
  const known = await tx.selectFrom('royalty_months').select('month').where('month', '=', month).executeTakeFirst()
  if (known) return
  const end = sql`${nextMonth(month)}::date`
  const { ranks } = await termsAt(tx, endOf(month))
  const claimableUntil = addDays(nextMonth(monthOf(today)), -1)
  await sql`
    with ranked as (${rankedTeams(volumesAt(end), ranks)}), closed as (
      insert into royalty_months (month, budget, weight, claimable_until)
      select ${month}::date, ${budgetAt(end)}, coalesce(sum(weight), 0), ${claimableUntil}::date from ranked
      returning budget, weight
    )
    insert into royalty_shares (id, month, user_number, rank, volume, weight, amount)
    select new_id(), ${month}::date, user_number, rank, volume, ranked.weight,
           div(closed.budget::numeric * ranked.weight, closed.weight)::bigint
    from ranked, closed`.execute(tx)
}

/** The rank and weight of each user with a rank, from a query of `user_number` and `volume`. */
export function rankedTeams(volumes: RawBuilder<unknown>, ranks: readonly Rank[]) {
  const lowest = ranks[0]?.volumeMin ?? null
  const rows = sql.join(
    ranks.map(({ name, volumeMin, weight }) => sql`(${name}, ${volumeMin}::bigint, ${weight}::bigint)`),
  )
  return sql`
    select user_number, volume, rank, weight
    from (${volumes}) as team,
      lateral (
        select rank, weight from (values ${rows}) as ranks (rank, volume_min, weight)
        where volume_min <= volume order by volume_min desc limit 1
      ) as reached
    -- Few users have a rank. Without this, the ranks would be searched for all of them.
    where volume >= ${lowest}`
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

/**
 * The pool's balance just before a day begins, without what earlier months take from it later: shares paid since that
 * day, and unpaid ones that can still be claimed. So the pool always holds enough for every open claim.
 */
const budgetAt = (day: RawBuilder<unknown>) => {
  const pool = systemAccount('royalty_pool')
  const start = sql`${day}::timestamp at time zone 'utc'`
  return sql`
    coalesce((
      select balance_after from ledger_entries where account_id = ${pool} and posted_at < ${start}
      order by version desc limit 1), 0)
    + coalesce((
      select sum(amount)::bigint from ledger_entries
      where account_id = ${pool} and kind = 'royalty' and posted_at >= ${start}), 0)
    - ${openClaims(day)}`
}

/** The sum of all shares that are unpaid and can still be claimed on this day. */
export const openClaims = (day: RawBuilder<unknown>) => sql<bigint>`coalesce((
  select sum(amount)::bigint from royalty_shares join royalty_months using (month)
  where claimable_until >= ${day} and paid_at is null), 0)`
