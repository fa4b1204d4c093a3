import { type RawBuilder, sql } from 'kysely'
import type { Usdt } from '../../../protocol/money.ts'
import type { Db, Tx } from '../../platform/db.ts'

/** How many stand below a user, how many of them have an active plan, and how much principal that is. */
export type TeamTotals = { direct: number; members: number; active: number; volume: Usdt }

const FOLD_BATCH = 5_000

/**
 * Records that a user's active principal changed; `active` is +1 with the first lot and −1 with the end of
 * the last. Appending keeps purchases from queueing behind one another on the rows of their common ancestors.
 */
export async function recordVolume(
  tx: Tx,
  userNumber: number,
  change: { volume: bigint; active: -1 | 0 | 1 },
): Promise<void> {
  await sql`
    insert into team_deltas (path, active, volume)
    select path, ${change.active}, ${change.volume} from users where number = ${userNumber} and cardinality(path) > 1
  `.execute(tx)
}

/** The same for many users at once: a query of `user_number`, `volume` and `active`. */
export async function recordVolumes(tx: Tx, changes: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into team_deltas (path, active, volume)
    select path, change.active, change.volume
    from (${changes}) as change join users on number = change.user_number
    where cardinality(path) > 1`.execute(tx)
}

/** Exact at any moment: what is folded and what is not yet. */
export async function getTeamTotals(db: Db, userNumber: number): Promise<TeamTotals> {
  const { rows } = await sql<TeamTotals>`
    select direct, members, active, volume from team_totals_of(${userNumber})`.execute(db)
  if (!rows[0]) throw new Error('a function returned no row')
  return rows[0]
}

export type TeamLevel = { depth: number; members: number; active: number; volume: Usdt }

/** The same for each level below, the nearest first. */
export async function listTeamLevels(db: Db, userNumber: number): Promise<TeamLevel[]> {
  const { rows } = await sql<TeamLevel>`
    select depth, members, active, volume from team_levels_of(${userNumber})`.execute(db)
  return rows
}

/** Every team's volume at this moment, as a query of `user_number` and `volume`. */
export const teamVolumes = (): RawBuilder<unknown> => sql`
  select user_number, sum(volume)::bigint as volume
  from (
    select user_number, volume from team_totals
    union all
    select ancestor, volume from team_deltas, unnest(path[:cardinality(path) - 1]) as ancestor where volume <> 0
  ) part
  group by user_number`

/** Moves one batch of changes into the totals; true while there is more. One process at a time does this. */
export async function foldTeamDeltas(tx: Tx): Promise<boolean> {
  const { rows: lock } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('team_deltas')) as mine`.execute(tx)
  if (!lock[0]?.mine) return false
  const { rows } = await sql<{ taken: bigint }>`select team_fold(${FOLD_BATCH}) as taken`.execute(tx)
  return rows[0]?.taken === BigInt(FOLD_BATCH)
}
