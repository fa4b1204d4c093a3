import { sql } from 'kysely'
import { add, type Usdt, ZERO } from '../../../protocol/money.ts'
import { addDays, type Day } from '../../../protocol/time.ts'
import type { Context } from '../../context.ts'
import { readToday } from '../../platform/clock.ts'
import { type Db, newId, type Tx, transaction } from '../../platform/db.ts'
import { healthOf, payRecorded, rewardOf } from './daily.ts'

/** Users per chunk. With this size, a million users cost twenty debits of the pool instead of a million. */
const CHUNK_USERS = 50_000

export type RunSummary = { days: Day[]; chunks: number; paid: Usdt; deferred: Usdt }
type RunOptions = { chunkUsers?: number; onChunk?: (day: Day, chunk: number) => Promise<void> }

/**
 * Pays every active lot for every day up to today that no run has finished. Each chunk is one transaction with the
 * key (day, chunk): a killed run leaves only whole chunks, and the next run does the rest.
 */
export async function runDailyRewards(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { chunkUsers = CHUNK_USERS, onChunk }: RunOptions = {},
): Promise<RunSummary> {
  const today = await readToday(db, clock)
  const last = await readSpan(db, chunkUsers)
  const summary: RunSummary = { days: [], chunks: 0, paid: ZERO, deferred: ZERO }
  if (!last) return summary
  for (let day = last.firstDay; day <= today; day = addDays(day, 1)) {
    summary.days.push(day)
    for (let chunk = 0; chunk <= last.chunkMax; chunk++) {
      const done = await transaction(db, (tx) => runChunk(tx, { day, chunk, chunkUsers }))
      if (!done) continue
      summary.chunks++
      summary.paid = add(summary.paid, done.paid)
      summary.deferred = add(summary.deferred, done.deferred)
      await onChunk?.(day, chunk)
    }
  }
  return summary
}

/** Days are processed in order, so only the newest day in reward_runs can have missing chunks. */
async function readSpan(db: Db, chunkUsers: number): Promise<{ firstDay: Day; chunkMax: number } | undefined> {
  const { rows } = await sql<{ firstDay: Day | null; chunkMax: number | null }>`
    select coalesce((select max(earned_on) from reward_runs), (select min(started_on) + 1 from plan_lots)) as "firstDay",
           (select max(user_number) from plan_lots) / ${chunkUsers}::int as "chunkMax"`.execute(db)
  const { firstDay, chunkMax } = rows[0] ?? {}
  return firstDay && chunkMax != null ? { firstDay, chunkMax } : undefined
}

type Chunk = { day: Day; chunk: number; chunkUsers: number }

async function runChunk(tx: Tx, { day, chunk, chunkUsers }: Chunk) {
  const reference = newId()
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('reward_runs')
    .values({ earned_on: day, chunk, reference })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) return undefined
  const [first, beyond] = [chunk * chunkUsers, (chunk + 1) * chunkUsers]
  await sql`
    insert into daily_rewards (earned_on, user_number, lot_number, amount, health, reference)
    select ${day}::date, user_number, number, ${rewardOf}, ${healthOf}, ${reference}::uuid
    from plan_lots
    where user_number >= ${first} and user_number < ${beyond} and matured_at is null
      and started_on < ${day}::date and matures_on >= ${day}::date
    order by user_number, number
    on conflict do nothing`.execute(tx)
  const scope = sql`
    r.earned_on = ${day}::date and r.user_number >= ${first} and r.user_number < ${beyond} and reference = ${reference}`
  return payRecorded(tx, reference, scope)
}
