import type { Day } from '../../../protocol/time.ts'
import type { RestPlan } from '../../../protocol/wellness-streak.ts'
import type { ZoneChange } from '../../../protocol/wellness-zones.ts'
import type { Db, Tx } from '../../platform/db.ts'

export function listEntries(db: Db | Tx, userNumber: number, from: Day, to: Day) {
  return db
    .selectFrom('wellness_entries')
    .select(['id', 'day_on', 'kind', 'amount', 'detail', 'parts', 'source', 'created_at'])
    .where('user_number', '=', userNumber)
    .where('day_on', '>=', from)
    .where('day_on', '<=', to)
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** The latest day for which something was logged and not removed. */
export async function findLastUsedDay(db: Db | Tx, userNumber: number): Promise<Day | undefined> {
  const row = await db
    .selectFrom('wellness_entries')
    .select('day_on')
    .where('user_number', '=', userNumber)
    .where('removed_at', 'is', null)
    .orderBy('day_on', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.day_on
}

/** The day of the first activity that was logged and not removed. */
export async function findFirstDay(db: Db | Tx, userNumber: number): Promise<Day | undefined> {
  const row = await db
    .selectFrom('wellness_entries')
    .select('day_on')
    .where('user_number', '=', userNumber)
    .where('removed_at', 'is', null)
    .orderBy('day_on')
    .limit(1)
    .executeTakeFirst()
  return row?.day_on
}

export function listCompletions(db: Db | Tx, userNumber: number, from: Day, to: Day) {
  return db
    .selectFrom('wellness_completions')
    .select(['day_on', 'pillar'])
    .where('user_number', '=', userNumber)
    .where('day_on', '>=', from)
    .where('day_on', '<=', to)
    .execute()
}

export async function findLastKeptDay(db: Db | Tx, userNumber: number): Promise<Day | undefined> {
  const row = await db
    .selectFrom('wellness_completions')
    .select('day_on')
    .where('user_number', '=', userNumber)
    .orderBy('day_on', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.day_on
}

/** Days with at least one closed ring, and how many were closed. Oldest first. */
export async function listKeptDays(db: Db | Tx, userNumber: number): Promise<{ day: Day; rings: number }[]> {
  const rows = await db
    .selectFrom('wellness_completions')
    .select(({ fn }) => ['day_on', fn.countAll<bigint>().as('rings')])
    .where('user_number', '=', userNumber)
    .groupBy('day_on')
    .orderBy('day_on')
    .execute()
  return rows.map(({ day_on, rings }) => ({ day: day_on, rings: Number(rings) }))
}

export async function listRestPlans(db: Db | Tx, userNumber: number): Promise<RestPlan[]> {
  const rows = await db
    .selectFrom('wellness_rest_plans')
    .select(['from_on', 'weekdays'])
    .where('user_number', '=', userNumber)
    .orderBy('from_on')
    .execute()
  return rows.map(({ from_on, weekdays }) => ({ from: from_on, weekdays }))
}

/** Undefined until the user's first browser has reported one: their days are UTC until then. */
export async function readZone(db: Db | Tx, userNumber: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('wellness_zones')
    .select('zone')
    .where('user_number', '=', userNumber)
    .orderBy('changed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.zone
}

/** Oldest first. */
export async function listZoneChanges(db: Db | Tx, userNumber: number): Promise<ZoneChange[]> {
  const rows = await db
    .selectFrom('wellness_zones')
    .select(['changed_at', 'day_on', 'shorter_minutes', 'longer_minutes'])
    .where('user_number', '=', userNumber)
    .orderBy('changed_at')
    .execute()
  return rows.map(({ changed_at, day_on, shorter_minutes, longer_minutes }) => ({
    ...{ at: changed_at, day: day_on, shorterMinutes: shorter_minutes, longerMinutes: longer_minutes },
  }))
}

/** Challenges completed on or after a day. The health release requires a minimum. */
export async function countCompletions(db: Db | Tx, userNumber: number, from: Day): Promise<number> {
  const { total } = await db
    .selectFrom('wellness_completions')
    .select(({ fn }) => fn.countAll<bigint>().as('total'))
    .where('user_number', '=', userNumber)
    .where('day_on', '>=', from)
    .executeTakeFirstOrThrow()
  return Number(total)
}
