import { sql } from 'kysely'
import type { Day } from '../../../protocol/time.ts'
import type { Context } from '../../context.ts'
import { type AccountId, accountsOf, userAccount } from '../../ledger/accounts.ts'
import { lockAccounts, postBulk } from '../../ledger/post.ts'
import { readToday } from '../../platform/clock.ts'
import { newId, type Tx, transaction } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import { addNews } from '../../platform/news.ts'
import { recordVolumes } from '../referrals/totals.ts'
import { claimRewards } from './daily.ts'

const BATCH_MAX = 1_000

/** Returns the principal of matured lots, each once, after every day of the term has been paid or deferred. */
export async function matureLots({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> {
  const today = await readToday(db, clock)
  let matured = 0
  for (;;) {
    const count = await transaction(db, (tx) => matureBatch(tx, today))
    matured += count
    if (count < BATCH_MAX) return matured
  }
}

async function matureBatch(tx: Tx, today: Day): Promise<number> {
  const lots = await tx
    .selectFrom('plan_lots')
    .select(['number', 'user_number', 'amount'])
    .where('matured_at', 'is', null)
    .where('matures_on', '<=', today)
    .orderBy('matures_on')
    .orderBy('number')
    .limit(BATCH_MAX)
    .forUpdate()
    .skipLocked()
    .execute()
  if (lots.length === 0) return 0
  const numbers = lots.map(({ number }) => number)
  const users = [...new Set(lots.map(({ user_number }) => user_number))]
  const unpaid = await findUnpaid(tx, numbers)
  // Several postings, so the accounts of all are locked first, in id order (R3).
  if (unpaid.length > 0) await lockAccounts(tx, users.flatMap(accountsChanged))
  for (const userNumber of unpaid) await claimRewards(tx, userNumber, today)
  const reference = newId()
  await postBulk(tx, {
    kind: 'plan_maturity',
    reference,
    movements: sql`
      select ${accountsOf('plan')}, ${accountsOf('wallet')}, sum(amount)::bigint
      from plan_lots where number = any(${numbers}) group by user_number`,
  })
  await tx
    .updateTable('plan_lots')
    .set({ matured_at: sql<Date>`now()`, maturity_reference: reference })
    .where('number', 'in', numbers)
    .execute()
  await recordVolumes(
    tx,
    sql`
      select user_number, volume, case when balance = 0 then -1 else 0 end as active
      from (select user_number, -sum(amount)::bigint as volume from plan_lots where number = any(${numbers}) group by 1)
        as ended join ledger_accounts on id = ${accountsOf('plan')}`,
  )
  await publish(tx, ...users.map((user) => ({ topic: 'balance', user })))
  await addNews(
    tx,
    ...lots.map(({ number, user_number, amount }) => ({
      ...{ kind: 'plan_matured' as const, user: user_number, key: String(number), facts: { amount } },
    })),
  )
  return lots.length
}

const accountsChanged = (userNumber: number): AccountId[] =>
  (['plan', 'reward', 'wallet', 'health'] as const).map((kind) => userAccount(userNumber, kind))

/** Users whose lots lack the reward of a day: a run was missed, or the lot started right at midnight. */
async function findUnpaid(tx: Tx, numbers: bigint[]): Promise<number[]> {
  const { rows } = await sql<{ user_number: number }>`
    select distinct user_number
    from plan_lots l, generate_series(started_on + 1, matures_on, interval '1 day') as day
    where number = any(${numbers}) and not exists (
      select from daily_rewards r
      where (r.earned_on, r.user_number, r.lot_number) = (day::date, l.user_number, l.number))
    order by user_number`.execute(tx)
  return rows.map((row) => row.user_number)
}
