import { AppError } from '../../../protocol/errors.ts'
import type { Day } from '../../../protocol/time.ts'
import { canonicalZone, offsetMinutes, UTC } from '../../../protocol/time-zones.ts'
import { limitZoneChange, ownDayOf, zoneChangeOf } from '../../../protocol/wellness-zones.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { publish } from '../../platform/events.ts'
import { throwIfRefused } from '../../platform/refusals.ts'
import { lockUser } from './complete.ts'
import { findLastKeptDay, findLastUsedDay, listZoneChanges, readZone } from './queries.ts'

/** The user's day now. Under `lockUser` no other call of the user can use a later one meanwhile. */
export async function readOwnDay(db: Db | Tx, userNumber: number, now: Date): Promise<Day> {
  const zone = await readZone(db, userNumber)
  return ownDayOf(now, offsetMinutes(zone ?? UTC, now), await findLastUsedDay(db, userNumber))
}

/** Changes the zone that the user's days follow, at once. Choosing the same zone again changes nothing. */
export async function changeZone(tx: Tx, userNumber: number, name: string, now: Date): Promise<void> {
  await lockUser(tx, userNumber)
  const zone = canonicalZone(name)
  if (zone === undefined) throw new AppError('invalid_input', 'Choose a time zone from the list', 'zone')
  const current = await readZone(tx, userNumber)
  if (current === zone) return
  const earlier = await listZoneChanges(tx, userNumber)
  // The clock of another process may be ahead, and two changes never share a moment.
  const at = new Date(Math.max(now.getTime(), (earlier.at(-1)?.at.getTime() ?? 0) + 1))
  const offsets = { before: offsetMinutes(current ?? UTC, at), after: offsetMinutes(zone, at) }
  const [lastUsed, lastKept] = [await findLastUsedDay(tx, userNumber), await findLastKeptDay(tx, userNumber)]
  const change = zoneChangeOf(at, offsets, { lastUsed, lastKept })
  throwIfRefused(limitZoneChange(change, earlier))
  await tx
    .insertInto('wellness_zones')
    .values({
      ...{ user_number: userNumber, changed_at: at, zone, day_on: change.day },
      ...{ shorter_minutes: change.shorterMinutes, longer_minutes: change.longerMinutes },
    })
    .execute()
  await publish(tx, { topic: 'wellness', user: userNumber })
}
