import { type RawBuilder, sql } from 'kysely'
import type { Usdt } from '../../../protocol/money.ts'
import type { Db, Tx } from '../../platform/db.ts'

/** The size of a user's team, how many members have an active plan, and their principal. */
export type TeamTotals = { direct: number; members: number; active: number; volume: Usdt }

const FOLD_BATCH = 5_000
/** Members per block of a long list. A page skips whole blocks. */
export const TEAM_BLOCK = 1_000

/**
 * Records a change of a user's active principal. `active` is +1 for the first lot and −1 when the last lot ends.
 * Appending a row avoids lock contention on the totals of common ancestors.
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

/** The same for many users, from a query of `user_number`, `volume` and `active`. */
export async function recordVolumes(tx: Tx, changes: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into team_deltas (path, active, volume)
    select path, change.active, change.volume
    from (${changes}) as change join users on number = change.user_number
    where cardinality(path) > 1`.execute(tx)
}

/** Always exact: the folded totals plus the changes that are not folded yet. */
export async function getTeamTotals(db: Db, userNumber: number): Promise<TeamTotals> {
  const { rows } = await sql<TeamTotals>`
    select direct, members, active, volume from team_totals_of(${userNumber})`.execute(db)
  if (!rows[0]) throw new Error('a function returned no row')
  return rows[0]
}

export type TeamLevel = { depth: number; members: number; active: number; volume: Usdt }

/** The same per level, nearest level first. */
export async function listTeamLevels(db: Db, userNumber: number): Promise<TeamLevel[]> {
  const { rows } = await sql<TeamLevel>`
    select depth, members, active, volume from team_levels_of(${userNumber})`.execute(db)
  return rows
}

/** Folds one batch of changes into the totals, under an advisory lock. Returns true while there is more. */
export async function foldTeamDeltas(tx: Tx): Promise<boolean> {
  const { rows: lock } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('team_deltas')) as mine`.execute(tx)
  if (!lock[0]?.mine) return false
  const { rows } = await sql<{ taken: bigint }>`select team_fold(${FOLD_BATCH}) as taken`.execute(tx)
  await sql`select team_split(${TEAM_BLOCK})`.execute(tx)
  return rows[0]?.taken === BigInt(FOLD_BATCH)
}
