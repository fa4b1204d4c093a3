import { type RawBuilder, sql } from 'kysely'
import { micro } from '../../../protocol/money.ts'
import { levelOf } from '../../../protocol/users.ts'
import type { Db } from '../../platform/db.ts'
import { type Paging, sliceOf } from '../../platform/pages.ts'
import { TEAM_BLOCK } from './totals.ts'

/** A user's place in the tree. */
export type Place = { number: number; path: number[] }

type MemberRow = {
  number: number
  username: string
  points: bigint
  created_at: Date
  hides_figures: boolean
  plan: bigint
  direct: number
  members: number
}

/** `plan` is each user's account of kind 0 (see ledger/accounts). */
const memberColumns = sql`
  u.number, u.username, u.points, u.created_at, u.hides_figures,
  coalesce(a.balance, 0) as plan, coalesce(t.direct, 0) as direct, coalesce(t.members, 0) as members`
const memberTables = sql`
  users u left join ledger_accounts a on a.id = u.number::bigint * 16
          left join team_totals t on t.user_number = u.number`

export function toMember(row: MemberRow, viewer: number) {
  const hidden = row.hides_figures && row.number !== viewer
  return {
    user_name: row.username,
    level: levelOf(row.points),
    joined_at: row.created_at,
    active: row.plan > 0n,
    plan_amount: hidden ? null : micro(row.plan),
    team_members: hidden ? null : row.members,
  }
}
export const toDirectMember = (row: MemberRow, viewer: number) => ({
  ...toMember(row, viewer),
  direct_members: row.direct,
})

/** A downline is one range of the index on path: all longer paths that begin with this one. */
const isBelow = (path: number[]): RawBuilder<boolean> => {
  const beyond = [...path.slice(0, -1), (path.at(-1) ?? 0) + 1]
  return sql<boolean>`(u.path > ${path}::int[] and u.path < ${beyond}::int[])`
}

export async function getPlace(db: Db, userNumber: number): Promise<Place> {
  return db.selectFrom('users').select(['number', 'path']).where('number', '=', userNumber).executeTakeFirstOrThrow()
}

/** A user in the caller's downline, or the caller. Any other user is treated as missing. */
export async function findInDownline(
  db: Db,
  caller: Place,
  username: string,
): Promise<(Place & MemberRow) | undefined> {
  const { rows } = await sql<Place & MemberRow>`
    select u.path, ${memberColumns} from ${memberTables}
    where u.username = ${username} and u.path[${caller.path.length}] = ${caller.number}`.execute(db)
  return rows[0]
}

/** The keys of a page: the paths of a team's members, or sponsor and member. Found by skipping blocks, not members. */
const keysOfPage = (list: 'team' | 'direct', above: number[], paging: Paging) => {
  const { page_size, offset } = sliceOf(paging)
  return sql`team_page(${list}, ${above}::int[], ${offset}, ${page_size}, ${TEAM_BLOCK}) as key`
}

export async function listDirect(db: Db, sponsorNumber: number, paging: Paging): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select ${memberColumns}
    from ${keysOfPage('direct', [sponsorNumber], paging)}
         join users u on u.number = key[2]
         left join ledger_accounts a on a.id = u.number::bigint * 16
         left join team_totals t on t.user_number = u.number
    order by u.number`.execute(db)
  return rows
}

export async function listDownline(db: Db, { path }: Place, paging: Paging) {
  const { rows } = await sql<MemberRow & { depth: number; sponsor: string }>`
    select ${memberColumns}, cardinality(u.path) - ${path.length}::int as depth, s.username as sponsor
    from ${keysOfPage('team', path, paging)}
         join users u on u.number = key[cardinality(key)]
         join users s on s.number = u.sponsor_number
         left join ledger_accounts a on a.id = u.number::bigint * 16
         left join team_totals t on t.user_number = u.number
    order by u.path`.execute(db)
  return rows
}

const SEARCH_RESULTS_MAX = 20

export async function searchDownline(db: Db, { path }: Place, beginning: string) {
  const pattern = `${beginning.replaceAll('_', '\\_')}%`
  const { rows } = await sql<{ username: string; path: number[] }>`
    select u.username, u.path from users u
    where u.username like ${pattern} and ${isBelow(path)} order by u.username limit ${SEARCH_RESULTS_MAX}`.execute(db)
  return rows
}

export async function listUsernames(db: Db, numbers: number[]): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map()
  const rows = await db.selectFrom('users').select(['number', 'username']).where('number', 'in', numbers).execute()
  return new Map(rows.map(({ number, username }) => [number, username]))
}
