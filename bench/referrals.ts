import type pg from 'pg'
import { withBenchDatabase } from './database.ts'
import { pageRows } from './referrals-pages.ts'
import { signUpRows } from './referrals-sign-up.ts'
import { growTree, type Tree } from './referrals-tree.ts'
import { median, type Row, report } from './report.ts'

/** Compares reads and sign-ups in a network of a million users with a primary-key lookup and recursive queries. */
const USERS = Number(process.argv[2] ?? 1_000_000)
const ROUNDS = 7

/** The product's queries and their recursive counterparts, each for a user `n`. */
const reads = {
  lookup: 'select u.* from users u where number = n',
  uplines: 'select path[greatest(1, cardinality(path) - 20):cardinality(path) - 1] from users where number = n',
  uplines_recursive: `with recursive up as (select sponsor_number as number, 1 as level from users where number = n
    union all select u.sponsor_number, level + 1 from up join users u on u.number = up.number where level < 20) select array_agg(number) from up`,
  team: 'select * from team_totals_of(n)',
  team_recursive: `with recursive team as (select number from users where sponsor_number = n
    union all select u.number from team join users u on u.sponsor_number = team.number)
    select count(*), sum(balance) from team join ledger_accounts on id = number::bigint * 16`,
  levels_recursive: `with recursive team as (select number, 1 as level from users where sponsor_number = n
    union all select u.number, level + 1 from team join users u on u.sponsor_number = team.number)
    select level, count(*) from team group by 1`,
  direct_page:
    'select array_agg(number) from (select number from users where sponsor_number = n order by number limit 50) page',
} as const

type Read = keyof typeof reads

/** Functions that time the queries inside PostgreSQL, without network round trips: microseconds per query. */
async function createTimers(client: pg.Client): Promise<void> {
  for (const [name, query] of Object.entries(reads))
    await client.query(`create function bench_${name}(numbers int[]) returns float8 language plpgsql as $$
      declare n int; began timestamptz := clock_timestamp();
      begin
        foreach n in array numbers loop perform * from (${query}) as result; end loop;
        return extract(epoch from clock_timestamp() - began) * 1e6 / cardinality(numbers);
      end $$`)
}

async function timeInside(client: pg.Client, read: Read, number: number, times: number): Promise<number> {
  const numbers = Array.from({ length: times }, () => number)
  return (await client.query(`select bench_${read}($1) as micros`, [numbers])).rows[0].micros
}

/** Microseconds per query as the client sees it, with a prepared statement. */
async function timeOutside(client: pg.Client, read: Read, number: number, times: number): Promise<number> {
  const query = { name: read, text: reads[read].replace(/\bn\b/g, '$1::int'), values: [number] }
  const began = performance.now()
  for (let turn = 0; turn < times; turn++) await client.query(query)
  return ((performance.now() - began) * 1000) / times
}

async function readRows(client: pg.Client, tree: Tree): Promise<Row[]> {
  const compare = async (clock: typeof timeInside, a: Read, b: Read, number: number, times: number) => {
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round++)
      ratios.push((await clock(client, a, number, times)) / (await clock(client, b, number, times)))
    return median(ratios)
  }
  const uplines = await compare(timeInside, 'uplines', 'uplines_recursive', tree.deep, 500)
  const sum = await compare(timeInside, 'team', 'team_recursive', tree.teamOf(10_000), 3)
  const rows: Row[] = [
    { name: '20 uplines ÷ recursive CTE', ratio: uplines, atMost: 0.25 },
    { name: 'size and volume of a team of 10,000 ÷ recursive CTE', ratio: sum, atMost: 0.1 },
  ]
  for (const size of [1_000, 10_000, 100_000]) {
    const ratio = await compare(timeOutside, 'team', 'lookup', tree.teamOf(size), 1_000)
    rows.push({ name: `totals of a team of ${size} ÷ primary-key lookup`, ratio, atMost: 1.5 })
  }
  const page = await compare(timeOutside, 'direct_page', 'lookup', tree.hub, 1_000)
  rows.push({ name: 'page of direct referrals of a hub of 50,000 ÷ lookup', ratio: page, atMost: 2 })
  const others: [string, Read, number, number][] = [
    ['20 uplines', 'uplines', tree.deep, 1_000],
    ['20 uplines, recursive CTE', 'uplines_recursive', tree.deep, 300],
    ['size and volume of a team of 10000, recursive CTE', 'team_recursive', tree.teamOf(10_000), 3],
    ['levels of a team of 10000, recursive CTE', 'levels_recursive', tree.teamOf(10_000), 3],
  ]
  for (const [name, read, number, times] of others)
    rows.push({ name: `${name} ÷ lookup`, ratio: await compare(timeOutside, read, 'lookup', number, times) })
  return rows
}

await withBenchDatabase(async ({ ownerUrl, owner }) => {
  console.log(`Building a tree of ${USERS.toLocaleString('en')} users …`)
  const tree = await growTree(owner, USERS)
  await createTimers(owner)
  const reading = [...(await readRows(owner, tree)), ...(await pageRows(ownerUrl, tree))]
  report([...reading, ...(await signUpRows(owner, ownerUrl, tree))])
})
