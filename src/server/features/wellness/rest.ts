import { nextMonday } from '../../../protocol/wellness-streak.ts'
import type { Tx } from '../../platform/db.ts'
import { readOwnDay } from './zones.ts'

/** Sets the rest days from next Monday on. Until then, another change replaces this one. */
export async function planRest(tx: Tx, userNumber: number, weekdays: number[], now: Date): Promise<void> {
  const from_on = nextMonday(await readOwnDay(tx, userNumber, now))
  const sorted = weekdays.toSorted((a, b) => a - b)
  await tx
    .insertInto('wellness_rest_plans')
    .values({ user_number: userNumber, from_on, weekdays: sorted })
    .onConflict((conflict) => conflict.columns(['user_number', 'from_on']).doUpdateSet({ weekdays: sorted }))
    .execute()
}
