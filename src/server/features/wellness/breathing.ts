import { AppError } from '../../../protocol/errors.ts'
import type { Id } from '../../../protocol/ids.ts'
import type { Gain } from '../../../protocol/wellness.ts'
import {
  type ExerciseId,
  FINISH_TOLERANCE_MS,
  getExercise,
  SESSION_MAX_MINUTES,
} from '../../../protocol/wellness-breathing.ts'
import { newId, type Tx } from '../../platform/db.ts'
import { recordSeen } from './log.ts'

export async function startBreathing(tx: Tx, userNumber: number, exercise: ExerciseId, now: Date) {
  const id = newId<'breathing'>()
  const { lengthSeconds } = getExercise(exercise)
  await tx
    .insertInto('wellness_breathing')
    .values({
      id,
      user_number: userNumber,
      exercise,
      length_seconds: lengthSeconds,
      started_at: now,
      finished_at: null,
    })
    .execute()
  return { id, lengthSeconds }
}

/** Counts an exercise if its full length has passed by the server's clock. */
export async function finishBreathing(tx: Tx, userNumber: number, id: Id<'breathing'>, now: Date): Promise<Gain> {
  const session = await tx
    .selectFrom('wellness_breathing')
    .selectAll()
    .where('id', '=', id)
    .where('user_number', '=', userNumber)
    .forUpdate()
    .executeTakeFirst()
  if (!session) throw new AppError('not_found', 'This exercise does not exist')
  if (session.finished_at) throw new AppError('game_over', 'This exercise was already counted')
  const elapsedMs = now.getTime() - session.started_at.getTime()
  const missingMs = session.length_seconds * 1_000 - elapsedMs
  if (missingMs > FINISH_TOLERANCE_MS) {
    const seconds = Math.ceil(missingMs / 1_000)
    throw new AppError('too_early', `Stay with it: ${seconds} more seconds to go`, undefined, seconds)
  }
  if (elapsedMs > SESSION_MAX_MINUTES * 60_000)
    throw new AppError('game_over', 'This exercise was not finished in time. Start a new one.')
  await refuseOverlap(tx, userNumber, session.started_at)
  await tx.updateTable('wellness_breathing').set({ finished_at: now }).where('id', '=', id).execute()
  return recordSeen(tx, userNumber, { kind: 'breathing', amount: session.length_seconds, reference: id }, now)
}

// Overlapping exercises count once: refuses one that started before another one finished.
async function refuseOverlap(tx: Tx, userNumber: number, startedAt: Date): Promise<void> {
  const other = await tx
    .selectFrom('wellness_breathing')
    .select('id')
    .where('user_number', '=', userNumber)
    .where('finished_at', '>', startedAt)
    .executeTakeFirst()
  if (other) throw new AppError('game_over', 'Another exercise at the same time was already counted')
}
