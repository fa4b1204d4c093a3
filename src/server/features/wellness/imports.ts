import { AppError } from '../../../protocol/errors.ts'
import { addDays } from '../../../protocol/time.ts'
import type { Gain, ImportDay } from '../../../protocol/wellness.ts'
import { IMPORT_YEARS_MAX, type ImportSource, isImportable } from '../../../protocol/wellness-day.ts'
import { newId, type Tx } from '../../platform/db.ts'
import { completeDay, lockUser } from './complete.ts'
import { readOwnDay } from './zones.ts'

/** Imports the daily totals of an export file, all or none. Importing the same file again adds nothing. */
export async function importDays(
  tx: Tx,
  userNumber: number,
  { source, days }: { source: ImportSource; days: readonly ImportDay[] },
  now: Date,
): Promise<{ added: number; known: number; gain: Gain }> {
  await lockUser(tx, userNumber)
  const today = await readOwnDay(tx, userNumber, now)
  const outside = days.find(({ day }) => !isImportable(day, today))
  if (outside)
    throw new AppError(
      'import_refused',
      `${outside.day} is not within the last ${IMPORT_YEARS_MAX} years. Nothing was imported.`,
      'days',
    )
  if (new Set(days.map(({ day }) => day)).size !== days.length)
    throw new AppError('import_refused', 'The same day appears twice. Nothing was imported.', 'days')
  const rows = days.flatMap(({ day, steps, workout_minutes }) => [
    ...(steps > 0 ? [{ day_on: day, kind: 'steps' as const, amount: steps }] : []),
    ...(workout_minutes > 0 ? [{ day_on: day, kind: 'workout' as const, amount: workout_minutes }] : []),
  ])
  const inserted = await tx
    .insertInto('wellness_entries')
    .values(
      rows.map((row) => ({
        ...row,
        id: newId<'entry'>(),
        user_number: userNumber,
        detail: '',
        parts: [],
        source,
        created_at: now,
        removed_at: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  const yesterday = await completeDay(tx, userNumber, { day: addDays(today, -1), today }, now)
  const gain = joinGains(yesterday, await completeDay(tx, userNumber, { day: today, today }, now))
  return { added: inserted.length, known: rows.length - inserted.length, gain }
}

function joinGains(first: Gain, second: Gain): Gain {
  return {
    closed: [...first.closed, ...second.closed],
    perfect_day: first.perfect_day || second.perfect_day,
    milestone_days: second.milestone_days ?? first.milestone_days,
    points: first.points + second.points,
    level_before: first.level_before,
    level_after: second.level_after,
  }
}
