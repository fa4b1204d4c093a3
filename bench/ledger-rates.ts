import type pg from 'pg'
import { type Load, measureRate, SIMPLE_UPDATE } from './load.ts'
import { median, type Row } from './report.ts'

export const USERS = 50_000
const CLIENTS = 16
const LANES = 2
const GROUP = 500
const PURCHASES = 20
const UPLINES = 20

const randomUser = `1 + floor(random() * ${USERS})::bigint`
const another = `(a + 1 + floor(random() * ${USERS - 1})::bigint - 1) % ${USERS} + 1`
const plainId = (number: string) => `'acct_' || lpad((${number})::text, 32, '0')`
const system = (index: number) => `(ledger_custody() + ${index})`

/** One call that posts a group of random postings, generated inside the database. */
const group = (kind: string, count: number, source: string, target: string) => `
  select count(*) from (
    select array_agg('${kind}'::ledger_kind) as kinds, array_agg(new_id()) as refs, array_agg(new_id()) as digests,
      array_agg(null::jsonb) as replies, array_agg(n) as owners, array_agg(${source}) as sources,
      array_agg(${target}) as targets, array_agg(1::bigint) as amounts
    from (select n, ${randomUser} as a from generate_series(1, ${count}) as n) as drawn
  ) as given, ledger_post_group(kinds, refs, digests, replies, owners, sources, targets, amounts, false)`

// A purchase is two postings: custody pays for the plan, and the pool pays twenty uplines.
const purchases = `
  select count(*) from (
    select array_agg(kind order by place, kind) as kinds, array_agg(new_id()) as refs, array_agg(new_id()) as digests,
      array_agg(null::jsonb) as replies
    from generate_series(1, ${PURCHASES}) as place, unnest('{plan_purchase,upline_reward}'::ledger_kind[]) as kind
  ) as postings, (
    select array_agg(case level when 0 then 2 * place - 1 else 2 * place end) as owners,
      array_agg(case level when 0 then ${system(0)} else ${system(2)} end) as sources,
      array_agg(case level when 0 then a * 16 else ((a + level * 7919) % ${USERS} + 1) * 16 + 2 end) as targets,
      array_agg(1::bigint) as amounts
    from (select place, ${randomUser} as a from generate_series(1, ${PURCHASES}) as place) as drawn,
      generate_series(0, ${UPLINES}) as level
  ) as movements, ledger_post_group(kinds, refs, digests, replies, owners, sources, targets, amounts, false)`

const loadsOf = (ownerUrl: string, appUrl: string) =>
  ({
    simple: { url: ownerUrl, script: SIMPLE_UPDATE, clients: CLIENTS },
    plain: {
      url: ownerUrl,
      script: `select moved.* from (select ${randomUser} as a) as drawn, plain_transfer(${plainId('a')}, ${plainId(another)}, 1) as moved`,
      clients: CLIENTS,
    },
    plainHot: {
      url: ownerUrl,
      script: `select moved.* from (select ${randomUser} as a) as drawn, plain_transfer(${plainId('a')}, ${plainId('0')}, 1) as moved`,
      clients: CLIENTS,
    },
    single: {
      url: appUrl,
      script: `select posted.* from (select ${randomUser} as a) as drawn,
        ledger_post_one('transfer', new_id(), new_id(), null, a * 16 + 3, (${another}) * 16 + 3, 1) as posted`,
      clients: CLIENTS,
    },
    group: {
      url: appUrl,
      script: group('transfer', GROUP, 'a * 16 + 3', `(${another}) * 16 + 3`),
      clients: LANES,
      size: GROUP,
    },
    groupHot: {
      url: appUrl,
      script: group('withdrawal', GROUP, 'a * 16 + 3', system(8)),
      clients: LANES,
      size: GROUP,
    },
    purchase: { url: appUrl, script: purchases, clients: LANES, size: PURCHASES },
  }) satisfies Record<string, Load>

type Name = keyof ReturnType<typeof loadsOf>
type Round = Record<Name, { rate: number; walBytes: number }>

/** Compares single and grouped transfers with pgbench's simple-update and the plain ledger. */
export async function rateRows(
  client: pg.Client,
  urls: { ownerUrl: string; appUrl: string },
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<{ rows: Row[]; plainRate: number }> {
  const loads = Object.entries(loadsOf(urls.ownerUrl, urls.appUrl)) as [Name, Load][]
  for (const [, load] of loads) await measureRate(load, 2)
  const before = await sizes(client)
  const all: Round[] = []
  for (let turn = 0; turn < rounds; turn++) {
    const round = {} as Round
    for (const [name, load] of loads) {
      // Without this, a load would pay for vacuuming the dead rows of the one before.
      await client.query('vacuum')
      const start = await walPosition(client)
      const rate = await measureRate(load, seconds)
      round[name] = { rate, walBytes: Number((await walPosition(client)) - start) / (rate * seconds) }
    }
    all.push(round)
    console.log(`round ${turn + 1}: ${loads.map(([name]) => `${name} ${Math.round(round[name].rate)}/s`).join(', ')}`)
  }
  const after = await sizes(client)
  const sumOf = (...names: Name[]) =>
    all.flatMap((round) => names.map((name) => round[name].rate * seconds)).reduce((a, b) => a + b)
  const disk = (after.ledger - before.ledger) / (sumOf('single', 'group', 'groupHot') + (sumOf('purchase') * 23) / 2)
  const diskPlain = (after.plain - before.plain) / sumOf('plain', 'plainHot')
  return { rows: rowsOf(all, disk / diskPlain), plainRate: median(all.map(({ plain }) => plain.rate)) }
}

function rowsOf(all: Round[], disk: number): Row[] {
  const ratio = (a: Name, b: Name) => median(all.map((round) => round[a].rate / round[b].rate))
  const wal = median(all.map(({ group, plain }) => group.walBytes / plain.walBytes))
  return [
    { name: 'pgledger-style ledger ÷ simple-update, 16 clients', ratio: ratio('plain', 'simple') },
    { name: 'single posting ÷ simple-update, 16 clients', ratio: ratio('single', 'simple'), atLeast: 0.6 },
    { name: 'single posting ÷ pgledger-style ledger', ratio: ratio('single', 'plain'), atLeast: 2.5 },
    { name: 'group posting, random accounts ÷ simple-update', ratio: ratio('group', 'simple'), atLeast: 2.5 },
    { name: 'group posting, random accounts ÷ pgledger-style ledger', ratio: ratio('group', 'plain'), atLeast: 9 },
    { name: 'group posting, one hot account ÷ simple-update', ratio: ratio('groupHot', 'simple'), atLeast: 3 },
    {
      name: 'group posting, one hot account ÷ pgledger-style ledger',
      ratio: ratio('groupHot', 'plainHot'),
      atLeast: 30,
    },
    { name: 'purchase with 20 uplines ÷ pgledger-style ledger', ratio: ratio('purchase', 'plain'), atLeast: 1 },
    { name: 'disk per transfer ÷ pgledger-style ledger', ratio: disk, atMost: 0.45 },
    { name: 'WAL per transfer ÷ pgledger-style ledger', ratio: wal, atMost: 0.45 },
  ]
}

async function walPosition(client: pg.Client): Promise<bigint> {
  const { rows } = await client.query(`select (pg_current_wal_insert_lsn() - '0/0')::text as bytes`)
  return BigInt(rows[0].bytes)
}

async function sizes(client: pg.Client): Promise<{ ledger: number; plain: number }> {
  const of = (names: string[]) => names.map((name) => `pg_total_relation_size('${name}')`).join(' + ')
  const { rows } = await client.query(`
    select (${of(['ledger_accounts', 'ledger_postings', 'ledger_entries'])})::float8 as ledger,
      (${of(['plain_accounts', 'plain_transfers', 'plain_entries'])})::float8 as plain`)
  return rows[0]
}
