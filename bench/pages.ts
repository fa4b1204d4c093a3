import type pg from 'pg'
import { PAGE_SIZE } from '../src/protocol/route.ts'
import { statementOf } from '../src/server/features/balance/statement.ts'
import { betHistory, listRounds } from '../src/server/features/colour/queries.ts'
import { moveHistory } from '../src/server/features/colour/wallet.ts'
import { planHistory } from '../src/server/features/plans/history.ts'
import { uplineRewards } from '../src/server/features/plans/upline.ts'
import { listHolds } from '../src/server/features/referrals/holds.ts'
import { getPlace, listDirect, listDownline } from '../src/server/features/referrals/queries.ts'
import { foldTeamDeltas, getTeamTotals } from '../src/server/features/referrals/totals.ts'
import { earningHistory, listReferralRewards } from '../src/server/features/rewards/history.ts'
import { listRequests } from '../src/server/features/support/queries.ts'
import { transferHistory } from '../src/server/features/transfers/history.ts'
import { withdrawalHistory } from '../src/server/features/withdrawals/handlers.ts'
import { createDb, createPool, type Db, transaction } from '../src/server/platform/db.ts'
import { type History, readPage } from '../src/server/platform/history.ts'
import { fillLists } from '../test/long-lists.ts'
import { withBenchDatabase } from './database.ts'
import { median, type Row, report } from './report.ts'

/** The middle and the last page of every list ÷ its first page, and the first page ÷ a primary-key lookup. */
const ROWS = Number(process.argv[2] ?? 1_000_000)
const DAYS = 730
const ROUNDS = 7
const [ROOT, PARTNER, HUB] = [1, 2, 3]

/** `ROWS` direct referrals of the hub, which is below the root. Half of them have a member below them. */
async function growTeam(client: pg.Client): Promise<void> {
  const add = (numbers: string, sponsor: string, path: string) =>
    client.query(`insert into users (id, number, username, wallet_address, referral_code, sponsor_number, path)
      select gen_random_uuid(), n, 'user_' || n, '0x' || lpad(to_hex(n), 40, '0'), lpad(upper(to_hex(n)), 8, '0'), ${sponsor}, ${path}
      from ${numbers} as n`)
  await client.query('set session_replication_role = replica')
  await add(`generate_series(${ROOT}, ${PARTNER})`, 'null', 'array[n]')
  await add(`generate_series(${HUB}, ${HUB})`, `${ROOT}`, `array[${ROOT}, n]`)
  await add(`generate_series(${HUB + 1}, ${HUB + ROWS})`, `${HUB}`, `array[${ROOT}, ${HUB}, n]`)
  await add(
    `generate_series(${HUB + ROWS + 1}, ${HUB + ROWS + ROWS / 2})`,
    `n - ${ROWS}`,
    `array[${ROOT}, ${HUB}, n - ${ROWS}, n]`,
  )
  await client.query(
    `insert into team_totals values (${ROOT}, 1, ${1 + ROWS * 1.5}, 0, 0), (${HUB}, ${ROWS}, ${ROWS * 1.5}, 0, 0)`,
  )
  await client.query('set session_replication_role = origin')
  await client.query('vacuum analyze users')
}

type List = [name: string, read: (page_no: number) => Promise<{ total: number }>]

async function listsOf(db: Db): Promise<List[]> {
  const root = await getPlace(db, ROOT)
  const history = <Raw, Shown>(name: string, of: History<Raw, Shown>, filter = {}): List => [
    name,
    (page_no) => readPage(db, of, { page_no, ...filter }),
  ]
  return [
    history('statement', statementOf(ROOT, 'wallet')),
    history('statement, one kind', statementOf(ROOT, 'wallet'), { kind: 'transfer' }),
    history('transfers', transferHistory(ROOT)),
    history('transfers, received', transferHistory(ROOT), { direction: 'in' }),
    history('withdrawals', withdrawalHistory(ROOT)),
    history('plans', planHistory(ROOT)),
    history('daily rewards', earningHistory(ROOT)),
    history('bets', betHistory(ROOT)),
    history('bets, won', betHistory(ROOT), { state: 'won' }),
    history('bet wallet', moveHistory(ROOT)),
    ['referral rewards', (page_no) => listReferralRewards(db, ROOT, { page_no })],
    ['rounds', (page_no) => listRounds(db, page_no)],
    ['held rewards', (page_no) => listHolds(db, uplineRewards, ROOT, { page_no })],
    ['support requests', (page_no) => listRequests(db, ROOT, { page_no })],
    [
      'direct referrals',
      async (page_no) => {
        await listDirect(db, HUB, { page_no })
        return { total: (await getTeamTotals(db, HUB)).direct }
      },
    ],
    [
      'all referrals',
      async (page_no) => {
        await listDownline(db, root, { page_no })
        return { total: (await getTeamTotals(db, ROOT)).members }
      },
    ],
  ]
}

async function timed(times: number, call: (at: number) => Promise<unknown>): Promise<number> {
  const began = performance.now()
  for (let at = 0; at < times; at++) await call(at)
  return (performance.now() - began) / times
}

async function rowsOf(db: Db, [name, read]: List): Promise<Row[]> {
  const cold = await timed(1, () => read(1))
  // Each call counts at least a month.
  for (let turn = 0; turn < (2 * DAYS) / 31; turn++) await read(1)
  const { total } = await read(1)
  const last = Math.ceil(total / PAGE_SIZE)
  const ratios: [middle: number, last: number, lookup: number][] = []
  for (let round = 0; round < ROUNDS; round++) {
    const first = await timed(5, () => read(1))
    const [middle, end] = [await timed(5, () => read(Math.ceil(last / 2))), await timed(5, () => read(last))]
    ratios.push([middle / first, end / first, first / (await timed(20, () => getPlace(db, ROOT)))])
  }
  console.log(`${name}: ${total} rows, ${last} pages; the first reading took ${cold.toFixed(0)} ms`)
  return [
    { name: `${name}: last page ÷ first`, ratio: median(ratios.map(([, end]) => end)), atMost: 5 },
    { name: `${name}: middle page ÷ first`, ratio: median(ratios.map(([middle]) => middle)), atMost: 5 },
    { name: `${name}: first page ÷ lookup`, ratio: median(ratios.map(([, , lookup]) => lookup)) },
  ]
}

await withBenchDatabase(async ({ ownerUrl, owner, onEnd }) => {
  console.log(`Filling each list with ${ROWS.toLocaleString('en')} rows …`)
  await growTeam(owner)
  await fillLists(owner, { user: ROOT, partner: PARTNER, rows: ROWS, days: DAYS })
  await owner.query('vacuum')
  const db = createDb(createPool(ownerUrl, 1))
  onEnd(() => db.destroy())
  while (await transaction(db, foldTeamDeltas));
  const rows: Row[] = []
  for (const list of await listsOf(db)) rows.push(...(await rowsOf(db, list)))
  report(rows)
})
