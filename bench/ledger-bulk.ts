import pg from 'pg'
import { runAudit } from '../src/server/ledger/audit.ts'
import { ledgerInvariants } from '../src/server/ledger/invariants.ts'
import type { Db } from '../src/server/platform/db.ts'
import { USERS } from './ledger-rates.ts'
import { runClients } from './load.ts'
import { median, type Row } from './report.ts'

const CHUNK = 50_000
const custody = 'ledger_custody()'
const pool = '(ledger_custody() + 2)'
const house = '(ledger_custody() + 5)'
const escrow = '(ledger_custody() + 6)'

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

/** Settles a round of bets in one posting: winners get twice their stake, lost stakes go to the house. */
export async function settleRow(client: pg.Client, bets: number, rounds: number, plainRate: number): Promise<Row> {
  await client.query(`create table bench_bets as select n, ((n - 1) % ${USERS} + 1)::bigint * 16 + 4 as account,
    1000::bigint as stake, n % 25 < 12 as won from generate_series(1, ${bets}) as n`)
  const posted = (kind: string, movements: string) =>
    client.query(`
    select (ledger_post('${kind}', new_id(), null, null, array_agg(source), array_agg(target), array_agg(amount))).outcome
    from (${movements}) as movement (source, target, amount)`)
  await posted('bet_deposit', `select ${custody}, account, stake * 100 from bench_bets`)
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    await posted('bet', `select account, ${escrow}, stake from bench_bets`)
    const taken = await seconds(() =>
      posted(
        'round_settlement',
        `select ${escrow}, case when won then account else ${house} end, stake from bench_bets
         union all select ${house}, account, stake from bench_bets where won`,
      ),
    )
    ratios.push(bets / taken / plainRate)
  }
  return { name: `settle ${bets} bets: bets/s ÷ pgledger-style transfers/s`, ratio: median(ratios), atLeast: 15 }
}

/** Compares checking invariants 1 to 4 with the cheapest scan of the same entries. */
export async function auditRow(client: pg.Client, db: Db, entries: number, rounds: number): Promise<Row> {
  const { rows } = await client.query('select count(*)::int as count from ledger_entries')
  for (let missing = entries - rows[0].count; missing > 0; missing -= 2_000)
    await client.query(`
      select count(*) from (
        select array_agg('transfer'::ledger_kind) as kinds, array_agg(new_id()) as refs, array_agg(new_id()) as digests,
          array_agg(null::jsonb) as replies, array_agg(n::int) as owners, array_agg(n * 16 + 3) as sources,
          array_agg((n + 1000) * 16 + 3) as targets, array_agg(1::bigint) as amounts
        from generate_series(1::bigint, 1000) as n
      ) as given, ledger_post_group(kinds, refs, digests, replies, owners, sources, targets, amounts, false)`)
  await client.query('vacuum analyze ledger_entries, ledger_accounts')
  const four = ledgerInvariants.filter(({ number }) => number <= 4)
  const ratios: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const sum = await seconds(() => client.query('select sum(amount) from ledger_entries'))
    const audit = await seconds(() => runAudit(db, four))
    if (round > 0) ratios.push(audit / sum)
  }
  return {
    name: `audit of invariants 1 to 4 over ${Math.max(entries, rows[0].count)} entries ÷ sum()`,
    ratio: median(ratios),
    atMost: 8,
  }
}

/**
 * The daily run in chunks, with one worker and with two. Baselines: the same rows written without the ledger (the
 * floor), and one call per lot.
 */
export async function dailyRows(client: pg.Client, url: string, lots: number, rounds: number): Promise<Row[]> {
  await prepareDaily(client, lots)
  const chunks = Array.from({ length: Math.ceil(lots / CHUNK) }, (_, at) => [at * CHUNK + 1, (at + 1) * CHUNK])
  const oneCall = `select posted.* from (select 1 + floor(random() * ${lots})::bigint as n) as drawn,
    ledger_post_one('daily_reward', new_id(), null, null, ${pool}, n * 16 + 1, 10) as posted`
  const all: { floor: number; naive: number; one: number; two: number }[] = []
  for (let round = 0; round < rounds; round++) {
    // Each run starts with vacuumed tables, as after a day in which autovacuum kept up.
    const run = async (workers: number, chunk: typeof rewardChunk) => {
      await client.query('vacuum ledger_accounts, ledger_entries, floor_accounts, floor_entries')
      return seconds(() => inChunks(url, workers, chunks, chunk))
    }
    const floor = await run(1, floorChunk)
    const one = await run(1, rewardChunk)
    const two = await run(2, rewardChunk)
    // One call per lot with the same driver, extrapolated from two seconds.
    all.push({ floor, naive: lots / (await runClients(url, oneCall, 1, 2)), one, two })
    console.log(
      `daily run: floor ${floor.toFixed(1)} s, one worker ${one.toFixed(1)} s, two ${two.toFixed(1)} s, naive ${all.at(-1)?.naive.toFixed(0)} s`,
    )
  }
  const ratio = (a: 'floor' | 'naive', b: 'one' | 'two') => median(all.map((round) => round[a] / round[b]))
  return [
    { name: `daily run of ${lots} lots, one worker ÷ one call per lot`, ratio: ratio('naive', 'one'), atLeast: 35 },
    { name: 'daily run, one worker ÷ floor', ratio: ratio('floor', 'one'), atLeast: 0.6 },
    { name: 'daily run, two workers ÷ one call per lot', ratio: ratio('naive', 'two'), atLeast: 60 },
    { name: 'daily run, two workers ÷ floor', ratio: ratio('floor', 'two'), atLeast: 1 },
  ]
}

async function prepareDaily(client: pg.Client, lots: number): Promise<void> {
  await client.query(`insert into ledger_accounts (id) select n::bigint * 16 + 1 from generate_series(1, ${lots}) as n
    on conflict do nothing`)
  await client.query(`create table bench_lots (number bigint primary key, amount bigint not null)`)
  await client.query(`insert into bench_lots select n, 10 from generate_series(1, ${lots}) as n`)
  await client.query(
    `create table floor_accounts (id bigint primary key, balance bigint, version bigint) with (fillfactor = 45)`,
  )
  await client.query(`insert into floor_accounts select number * 16 + 1, 0, 0 from bench_lots`)
  await client.query('create table floor_entries (like ledger_entries including all)')
  await client.query('vacuum analyze')
}

async function inChunks(
  url: string,
  workers: number,
  chunks: number[][],
  work: (client: pg.Client, first: number, last: number) => Promise<unknown>,
): Promise<void> {
  const waiting = [...chunks]
  await Promise.all(
    Array.from({ length: workers }, async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      for (let chunk = waiting.shift(); chunk; chunk = waiting.shift()) await work(client, chunk[0] ?? 0, chunk[1] ?? 0)
      await client.end()
    }),
  )
}

const rewardChunk = (client: pg.Client, first: number, last: number) =>
  client.query(`
    select (ledger_post('daily_reward', new_id(), null, null, array_agg(${pool}), array_agg(number * 16 + 1), array_agg(amount))).outcome
    from bench_lots where number between ${first} and ${last}`)

const floorChunk = (client: pg.Client, first: number, last: number) =>
  client.query(`
    with moved as (
      update floor_accounts set balance = balance + amount, version = version + 1
      from bench_lots where id = number * 16 + 1 and number between ${first} and ${last}
      returning id, version, amount, balance
    )
    insert into floor_entries
    select id, version, amount, balance, now(), 'daily_reward', '00000000-0000-7000-8000-000000000000' from moved`)
