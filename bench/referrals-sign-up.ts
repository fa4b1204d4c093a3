import pg from 'pg'
import { foldTeamDeltas } from '../src/server/features/referrals/totals.ts'
import { createDb, createPool, type Db, transaction } from '../src/server/platform/db.ts'
import type { Tree } from './referrals-tree.ts'
import { median, type Row } from './report.ts'

const CLIENTS = 8
const PER_CLIENT = 1_000
const ROUNDS = 5

/**
 * Sign-ups below the deepest member: with appended totals, with totals updated inline, and without a tree. All three
 * write to tables of the same size, because inserting into a large index costs more than into an empty one.
 */
export async function signUpRows(client: pg.Client, url: string, tree: Tree): Promise<Row[]> {
  await client.query('create table plain_users (like users including all excluding indexes)')
  await client.query('alter table plain_users alter path drop not null')
  await client.query('insert into plain_users select * from users')
  for (const { indexdef } of (await client.query<{ indexdef: string }>(plainIndexes)).rows)
    await client.query(indexdef.replace(/INDEX \w+ ON public\.users/, 'INDEX ON plain_users'))
  await client.query('vacuum analyze plain_users')
  await client.query(`create function keep_inline() returns trigger language plpgsql as $$
    begin
      update team_totals t set members = members + 1 from (select a from unnest(new.path) a order by a) up
      where t.user_number = up.a and t.user_number <> new.number;
      return null;
    end $$`)
  await client.query('create trigger inline after insert on users for each row execute function keep_inline()')
  const db = createDb(createPool(url, 1))
  const toPlain: number[] = []
  const toInline: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const plain = await signUps(url, 'plain_users', tree.deep, round)
    await keepTotals(client, 'appended')
    const appended = await signUps(url, 'users', tree.deep, round)
    const folding = await foldAll(db)
    await keepTotals(client, 'inline')
    const inline = await signUps(url, 'users', tree.deep, round)
    toPlain.push(plain / appended)
    toInline.push(inline / (appended + folding))
  }
  await db.destroy()
  return [
    { name: 'sign-up at depth 30 ÷ plain adjacency insert, 8 clients', ratio: median(toPlain), atLeast: 0.6 },
    { name: 'totals appended and folded ÷ updated inline', ratio: median(toInline), atLeast: 3 },
  ]
}

/** The indexes of a plain users table: all except the path index. */
const plainIndexes = `select indexdef from pg_indexes where tablename = 'users' and indexname <> 'users_path'`

async function keepTotals(client: pg.Client, way: 'appended' | 'inline'): Promise<void> {
  const [on, off] = way === 'appended' ? ['team_member_joined', 'inline'] : ['inline', 'team_member_joined']
  await client.query(`alter table users disable trigger ${off}, enable trigger ${on}`)
}

/** Seconds for 8 clients to sign up 1,000 users each. */
async function signUps(url: string, table: string, sponsor: number, round: number): Promise<number> {
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => connect(url)))
  const text = `insert into ${table} (id, number, username, wallet_address, referral_code, sponsor_number)
    select gen_random_uuid(), n, $1 || n, '0x' || lpad(to_hex(n), 40, 'a'), lpad(upper(to_hex(n)), 8, 'Z'), $2
    from (select nextval('users_number_seq') as n) next`
  const began = performance.now()
  await Promise.all(
    clients.map(async (client) => {
      for (let turn = 0; turn < PER_CLIENT; turn++)
        await client.query({
          name: table,
          text,
          values: [`${table[0]}${round}_`, sponsor],
        })
    }),
  )
  const seconds = (performance.now() - began) / 1000
  await Promise.all(clients.map((client) => client.end()))
  return seconds
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

async function foldAll(db: Db): Promise<number> {
  const began = performance.now()
  while (await transaction(db, foldTeamDeltas));
  return (performance.now() - began) / 1000
}
