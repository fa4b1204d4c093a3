import { AppError } from '../../../protocol/errors.ts'
import type { Id } from '../../../protocol/ids.ts'
import type { InputOf } from '../../../protocol/route.ts'
import type { Day } from '../../../protocol/time.ts'
import type { Gain, wellness } from '../../../protocol/wellness.ts'
import { type Entry, refuseActivity, refuseMeal, refuseRemoval } from '../../../protocol/wellness-day.ts'
import { newId, type Tx } from '../../platform/db.ts'
import { throwIfRefused } from '../../platform/refusals.ts'
import { completeDay, lockUser } from './complete.ts'
import { listEntries } from './queries.ts'
import { readOwnDay } from './zones.ts'

type NewEntry = Entry & { detail: string }
type LoggedEntry = NewEntry & { kind: 'steps' | 'workout' | 'meal' }

/** Logs an activity or meal that the user reports for today, within the daily limits. */
export async function logEntry(
  tx: Tx,
  userNumber: number,
  input: InputOf<typeof wellness.log>,
  now: Date,
): Promise<Gain> {
  await lockUser(tx, userNumber)
  const day = await readOwnDay(tx, userNumber, now)
  const entry = entryOf(input)
  const today = await listEntries(tx, userNumber, day, day)
  const { kind, amount, detail } = entry
  throwIfRefused(kind === 'meal' ? refuseMeal(detail, today) : refuseActivity({ kind, amount }, today))
  await insertEntry(tx, userNumber, day, entry, now)
  return completeDay(tx, userNumber, { day, today: day }, now)
}

function entryOf(input: InputOf<typeof wellness.log>): LoggedEntry {
  const common = { source: 'manual', parts: [] } as const
  if (input.kind === 'steps') return { ...common, kind: 'steps', amount: input.steps, detail: '' }
  if (input.kind === 'workout') return { ...common, kind: 'workout', amount: input.minutes, detail: input.workout }
  return { ...common, kind: 'meal', amount: 1, detail: input.meal, parts: [...new Set(input.parts)] }
}

async function insertEntry(tx: Tx, userNumber: number, day: Day, entry: NewEntry, now: Date): Promise<boolean> {
  const row = { id: newId<'entry'>(), user_number: userNumber, day_on: day, created_at: now, removed_at: null }
  const inserted = await tx
    .insertInto('wellness_entries')
    .values({ ...row, ...entry, parts: [...entry.parts] })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

/** Removes one of today's manual entries. An entry that closed a ring stays, so the reward keeps its cause (R29). */
export async function removeEntry(tx: Tx, userNumber: number, id: Id<'entry'>, now: Date): Promise<void> {
  await lockUser(tx, userNumber)
  const day = await readOwnDay(tx, userNumber, now)
  const entries = await listEntries(tx, userNumber, day, day)
  if (!entries.some((entry) => entry.id === id && entry.source === 'manual'))
    throw new AppError('not_found', 'You have no such entry today')
  throwIfRefused(refuseRemoval(id, day, entries))
  await tx.updateTable('wellness_entries').set({ removed_at: now }).where('id', '=', id).execute()
}

/** Records an activity that the server itself observed: a finished breathing guide or a game. Once per reference. */
export async function recordSeen(
  tx: Tx,
  userNumber: number,
  seen: { kind: 'breathing' | 'quiz'; amount: number; reference: string },
  now: Date,
): Promise<Gain> {
  await lockUser(tx, userNumber)
  const { kind, amount, reference } = seen
  const entry = { kind, amount, detail: reference, parts: [], source: kind === 'quiz' ? 'game' : 'guide' } as const
  const day = await readOwnDay(tx, userNumber, now)
  if (amount > 0) await insertEntry(tx, userNumber, day, entry, now)
  return completeDay(tx, userNumber, { day, today: day }, now)
}
