import { sql } from 'kysely'
import { PAGE_SIZE } from '../src/protocol/route.ts'
import { getPlace, listDirect, listDownline, searchDownline } from '../src/server/features/referrals/queries.ts'
import { getTeamTotals, listTeamLevels } from '../src/server/features/referrals/totals.ts'
import { createDb, createPool, type Db } from '../src/server/platform/db.ts'
import type { Tree } from './referrals-tree.ts'
import { median, type Row } from './report.ts'

const ROUNDS = 7
const ROOT = 1
const TEAM = 10_000

/** The queries behind the product's pages, each ÷ a lookup of one user with the same driver. */
export async function pageRows(url: string, tree: Tree): Promise<Row[]> {
  const db = createDb(createPool(url, 1))
  const root = await getPlace(db, ROOT)
  const member = await getPlace(db, tree.teamOf(TEAM))
  const hub = await getTeamTotals(db, tree.hub)
  const lastOf = (members: number) => Math.ceil(members / PAGE_SIZE)
  const calls: [string, number, () => Promise<unknown>][] = [
    ['tree opened at a hub of 50,000', 100, () => listDirect(db, tree.hub, { page_no: 1 })],
    ['tree opened at a hub of 50,000, last page', 10, () => listDirect(db, tree.hub, { page_no: lastOf(hub.direct) })],
    [`tree opened at a team of ${TEAM}`, 100, () => listDirect(db, member.number, { page_no: 1 })],
    [`tree opened at a team of ${TEAM}, recursive CTE`, 3, () => expandByRecursion(db, member.number)],
    ['all referrals of the root', 100, () => listDownline(db, root, { page_no: 1 })],
    ['all referrals of the root, last page', 1, () => listDownline(db, root, { page_no: lastOf(tree.users - 1) })],
    ['search in all referrals of the root', 100, () => searchDownline(db, root, 'user_77')],
    [`levels of a team of ${TEAM}`, 100, () => listTeamLevels(db, member.number)],
    ['levels of the root', 100, () => listTeamLevels(db, ROOT)],
  ]
  const rows: Row[] = []
  for (const [name, times, call] of calls)
    rows.push({ name: `${name} ÷ lookup`, ratio: await toLookup(db, tree, times, call) })
  await db.destroy()
  return rows
}

async function toLookup(db: Db, tree: Tree, times: number, call: () => Promise<unknown>): Promise<number> {
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const own = (await timed(times, call)) / times
    const numbers = tree.sampleOf(100)
    const lookup = (await timed(numbers.length, (at) => getPlace(db, numbers[at] ?? ROOT))) / numbers.length
    ratios.push(own / lookup)
  }
  return median(ratios)
}

async function timed(times: number, call: (at: number) => Promise<unknown>): Promise<number> {
  const began = performance.now()
  for (let at = 0; at < times; at++) await call(at)
  return performance.now() - began
}

/** The first page of direct referrals. Each team's size and volume come from a recursive query over the sponsors. */
async function expandByRecursion(db: Db, number: number): Promise<void> {
  await sql`
    with recursive team as (
      select number, number as child
      from (select number from users where sponsor_number = ${number} order by number limit ${PAGE_SIZE}) page
      union all select u.number, team.child from team join users u on u.sponsor_number = team.number
    )
    select u.*, total.members, total.volume
    from (select child, count(*) - 1 as members, sum(balance) as volume
          from team join ledger_accounts on id = team.number::bigint * 16 group by child) total
         join users u on u.number = total.child
    order by u.number`.execute(db)
}
