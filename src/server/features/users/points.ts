import { sql } from 'kysely'
import type { Tx } from '../../platform/db.ts'

/** Awards experience points, once per source and reference. Returns the points added. */
export async function awardPoints(
  tx: Tx,
  userNumber: number,
  award: { source: string; reference: string; points: number },
): Promise<number> {
  if (award.points <= 0) return 0
  const inserted = await tx
    .insertInto('point_awards')
    .values({ user_number: userNumber, ...award })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows === 0n) return 0
  await tx
    .updateTable('users')
    .set({ points: sql`points + ${award.points}` })
    .where('number', '=', userNumber)
    .execute()
  return award.points
}
