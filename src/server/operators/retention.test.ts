import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { brand } from '../../protocol/brand.ts'
import { type Id, id as idOf } from '../../protocol/ids.ts'
import { trust } from '../../protocol/trust.ts'
import { checkKeptFile } from '../../verifier/kept-files.ts'
import { trustInvariants } from '../features/trust/invariants.ts'
import { listHistory } from '../features/trust/summary.ts'
import { checkInvariants } from '../ledger/audit.ts'
import { findLastAudit, findStaleAudit } from '../ledger/audit-runs.ts'
import { createDb, createPool, type Db } from '../platform/db.ts'
import { MINUTE_MS } from '../platform/jobs.ts'
import { aUser, createTestApi, type TestApi } from '../testing/api.ts'
import { createOwnerPool, runAsOwner } from '../testing/database.ts'
import { type OldRow, oldNews } from '../testing/old-news.ts'
import { recordRoot } from '../testing/roots.ts'
import { retentionLoop, sweepOldRows } from './retention.ts'

let api: TestApi
/** The worker's own login: it has no right to delete these rows itself. */
let worker: Db
let user: Awaited<ReturnType<typeof aUser>>
beforeAll(async () => {
  api = await createTestApi()
  worker = createDb(createPool(api.database.urls.worker, 2))
  user = await aUser(api)
})
afterAll(async () => {
  await worker.destroy()
  await api.close()
})
beforeEach(() => asOwner('delete from audit_runs; delete from trust_history'))

/** Without triggers, so that rows can be made older than they are. */
const asOwner = (text: string) => runAsOwner(api.database.ownerUrl, `set session_replication_role = replica; ${text}`)

async function sweepAll(): Promise<void> {
  while (await sweepOldRows(worker));
}

type Rule = { name: string; keeps: string; why: string; old: string | null }
const listRules = async () => (await sql<Rule>`select * from retention_rules()`.execute(worker)).rows

test('every table either keeps its rows for ever, with a reason, or has a rule when they are deleted', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`.execute(worker)
  const rules = await listRules()
  const names = rules.map(({ name }) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  expect(names.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  expect(rules.filter(({ why }) => why.length < 20)).toEqual([])
})

test('OPERATIONS.md names every table whose rows are deleted, and when', async () => {
  const text = readFileSync(new URL('../../../OPERATIONS.md', import.meta.url), 'utf8')
  const [, section = ''] = text.split('## What is deleted, and when\n')
  const [rows = ''] = section.split('\n## ')
  const documented = [...rows.matchAll(/^\| `(\w+)` +\| (.+?) +\| /gm)].map(([, name, keeps]) => ({ name, keeps }))
  const swept = (await listRules()).filter(({ old }) => old !== null)
  expect(documented).toEqual(swept.map(({ name, keeps }) => ({ name, keeps })))
})

const sessionOf = (age: string) => `insert into sessions (id, user_number, token_hash, created_at)
  values (new_id(), ${user.number}, sha256(gen_random_uuid()::text::bytea), now() - interval '${age}')`

/** A table, how to make a row of an age, and two ages around the limit. */
const simple: OldRow[] = [
  ['rate_counts', (age) => `insert into rate_counts values (new_id(), 1, now() - interval '${age}')`, '-1 hour', '1 s'],
  [
    'session_proofs',
    (age) => `insert into session_proofs select id, '${age}', now() - interval '${age}' from sessions limit 1`,
    '9 minutes',
    '11 minutes',
  ],
  [
    'sign_in_nonces',
    (age) => `insert into sign_in_nonces values (new_id(), '0x', now() - interval '${age}')`,
    '59 minutes',
    '61 minutes',
  ],
  ['sessions', sessionOf, '364 days', '367 days'],
  [
    'quiz_guest_games',
    (age) => `insert into quiz_guest_games values (new_id(), 1, sha256('seed'), now() - interval '${age}')`,
    '71 hours',
    '73 hours',
  ],
  ...oldNews(() => user.number),
  [
    'shares',
    (age) =>
      `insert into shares values (substr(md5(random()::text), 1, 22), ${user.number}, 'streak', jsonb_build_object('days', '${age}'), null, now() - interval '${age}')`,
    '364 days',
    '367 days',
  ],
  [
    'transfer_allowances',
    (age) => `insert into transfer_allowances values (${user.number}, current_date - interval '${age}', 1)`,
    '29 days',
    '32 days',
  ],
  [
    'colour_daily_totals',
    (age) => `insert into colour_daily_totals values (${user.number}, current_date - interval '${age}', 1, 1)`,
    '29 days',
    '32 days',
  ],
]

test.each(simple)('%s: a row past its time is deleted, and a younger one is not', async (table, insert, young, old) => {
  const count = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(
      api.context.db,
    )
    return rows[0]?.count ?? 0
  }
  await asOwner(insert(young))
  await sweepAll()
  const before = await count()
  expect(before).toBeGreaterThan(0)
  await asOwner(insert(old))
  expect(await count()).toBe(before + 1)
  await sweepAll()
  expect(await count()).toBe(before)
})

test('a sweep deletes a batch at a time, and rests only a moment while more is left', async () => {
  await asOwner(
    `insert into sign_in_nonces select new_id(), '0x', now() - interval '2 hours' from generate_series(1, 25)`,
  )
  const left = async () => {
    const { rows } = await sql<{ count: bigint }>`select count(*) from sign_in_nonces
      where created_at < now() - interval '1 hour'`.execute(worker)
    return rows[0]?.count
  }
  expect(await sweepOldRows(worker, 10)).toBe(true)
  expect(await left()).toBe(15n)
  expect(await sweepOldRows(worker, 10)).toBe(true)
  expect(await sweepOldRows(worker, 10)).toBe(false)
  expect(await left()).toBe(0n)

  await asOwner(`insert into sign_in_nonces select new_id(), '0x', 'epoch' from generate_series(1, 5001)`)
  const loop = retentionLoop(worker)
  const rest = () => (loop.restMs as () => number)()
  await loop.run()
  expect(await left()).toBe(1n)
  expect(rest()).toBeLessThan(1_000)
  await loop.run()
  expect(await left()).toBe(0n)
  expect(rest()).toBe(MINUTE_MS)
})

test('a sweep skips a locked row, and deletes it the next time', async () => {
  await asOwner(`insert into sign_in_nonces select 'locked ' || n, '0x', 'epoch' from generate_series(1, 3) n`)
  const pool = createOwnerPool(api.database.ownerUrl)
  const other = await pool.connect()
  await other.query(`begin; select from sign_in_nonces where nonce = 'locked 2' for update`)
  await Promise.all([sweepOldRows(worker), sweepOldRows(worker)])
  const rows = () => sql`select nonce from sign_in_nonces where nonce like 'locked%'`.execute(worker)
  expect((await rows()).rows).toEqual([{ nonce: 'locked 2' }])
  await other.query('rollback')
  await sweepAll()
  expect((await rows()).rows).toEqual([])
  other.release()
  await pool.end()
})

test('a table that cannot be swept is reported, and the others are swept all the same', async () => {
  await asOwner(`insert into sign_in_nonces values ('behind', '0x', 'epoch');
    create trigger stuck before delete on rate_counts for each statement execute function refuse_change()`)
  await expect(sweepOldRows(worker)).rejects.toThrow('rate_counts is append-only')
  await asOwner('drop trigger stuck on rate_counts')
  const { rows } = await sql`select from sign_in_nonces where nonce = 'behind'`.execute(worker)
  expect(rows).toEqual([])
})

test('the trust history is thinned out with age, and the chart does not change', async () => {
  await asOwner(`insert into trust_history select at, extract(epoch from at)::bigint, 1
    from generate_series(now() - interval '65 days', now(), interval '5 minutes') at`)
  const chart = await listHistory(worker)
  await sweepAll()
  expect(await listHistory(worker)).toEqual(chart)
  const { rows } = await sql<{ age: string; points: bigint }>`
    select case when measured_at > now() - interval '2 days' then 'new'
      when measured_at > now() - interval '60 days' then 'hourly' else 'daily' end as age, count(*) as points
    from trust_history group by 1 order by 1`.execute(worker)
  // A limit may fall into an hour or a day, so there can be a few points more or less.
  expect(rows.map(({ age, points }) => [age, Number(points)])).toEqual([
    ['daily', expect.closeTo(6, -1)],
    ['hourly', expect.closeTo(58 * 24, -1)],
    ['new', expect.closeTo(2 * 288, -1)],
  ])
})

test('old audits are thinned out to one per day and result, and payouts stay paused for the same reason', async () => {
  const run = (days: number, from: string, broken: string, unchecked: string) => `
    insert into audit_runs (at, held, broken, unchecked)
    select date_trunc('day', now(), 'UTC') - interval '${days} days' + interval '${from}' + n * interval '1 minute',
      '{1}', '${broken}', '${unchecked}' from generate_series(1, 60) n;`
  // The last complete audit was 40 days ago; since then, one invariant could not be checked.
  await asOwner(
    [
      run(40, '1 hour', '{}', '{}'),
      run(40, '3 hours', '{2}', '{}'),
      run(40, '5 hours', '{}', '{}'),
      run(35, '1 hour', '{}', '{5}'),
      run(0, '-1 hour', '{}', '{5}'),
    ].join(''),
  )
  const seen = async () => [await findLastAudit(worker), await findStaleAudit(worker)]
  const before = await seen()
  expect(before[1]).toBeDefined()
  await sweepAll()
  expect(await seen()).toEqual(before)
  const { rows } = await sql<{ broken: number[]; unchecked: number[]; runs: number }>`
    select broken, unchecked, count(*)::int as runs from audit_runs
    group by broken, unchecked, at < now() - interval '30 days' order by min(at)`.execute(worker)
  expect(rows).toEqual([
    { broken: [2], unchecked: [], runs: 1 },
    { broken: [], unchecked: [], runs: 1 },
    { broken: [], unchecked: [5], runs: 1 },
    { broken: [], unchecked: [5], runs: 60 },
  ])
})

const wireId = (id = '') => idOf('snapshot').encode(id as Id<'snapshot'>)
const ageSnapshots = (age: string, where = 'true') =>
  asOwner(`update liability_snapshots set taken_at = taken_at - interval '${age}' where ${where}`)

test('old snapshots keep their root, and the newest 48 their trees, however old they are', async () => {
  for (let taken = 0; taken < 50; taken++) {
    await recordRoot(api.context)
    await ageSnapshots('1 day')
  }
  await ageSnapshots('20 days')
  const { rows: all } = await sql<{ id: string }>`select id from liability_snapshots order by taken_at`.execute(worker)
  const { data } = await api.call(trust.proof, { snapshot: wireId(all[0]?.id) }, user.token)
  const saved = JSON.stringify(z.encode(trust.proof.output.shape.data, data))
  await sweepAll()
  const { rows: kept } = await sql<{ id: string; tree: boolean }>`
    select id, exists (select from liability_parts where snapshot_id = s.id) as tree
    from liability_snapshots s order by taken_at`.execute(worker)
  expect(kept).toEqual(all.map(({ id }, at) => ({ id, tree: at >= 2 })))
  await expect(api.call(trust.proof, { snapshot: wireId(data.snapshot.id) }, user.token)).rejects.toThrow(
    'Of this one we only keep the root. A proof that you saved still works.',
  )
  const sha256 = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  expect(await checkKeptFile(saved, brand.name, sha256)).toMatchObject({ isRight: true, root: data.snapshot.root })
  const report = await worker.transaction().execute((tx) => checkInvariants(tx, trustInvariants))
  expect(report.passed).toBe(true)
})

test('many new snapshots do not push out the trees of two days', async () => {
  await recordRoot(api.context)
  const { data } = await api.call(trust.proof, {}, user.token)
  for (let taken = 0; taken < 50; taken++) await recordRoot(api.context)
  await sweepAll()
  expect((await api.call(trust.proof, { snapshot: wireId(data.snapshot.id) }, user.token)).data.leaf).toEqual(data.leaf)
})

test('failed publications do not push out the tree of the last root, and one on its way keeps its tree', async () => {
  const { data } = await api.call(trust.proof, {}, user.token)
  for (let taken = 0; taken < 50; taken++) await recordRoot(api.context)
  const { rows } = await sql<{ id: string }>`
    select id from liability_snapshots order by taken_at desc limit 50`.execute(worker)
  const [newest, open, ...others] = rows.map(({ id }) => id)
  const failed = [newest, ...others]
  const callOf = (id: string | undefined) => `(select root from liability_snapshots where id = '${id}')`
  await asOwner(
    `update vault_calls set succeeded = false where value in (
       select root from liability_snapshots where id in (${failed.map((id) => `'${id}'`).join()}));
     update vault_calls set succeeded = null, closed_at = null where value = ${callOf(open)}`,
  )
  await ageSnapshots('3 days')
  await sweepAll()
  expect((await api.call(trust.proof, {}, user.token)).data.leaf).toEqual(data.leaf)
  const { rows: kept } = await sql<{ id: string }>`
    select distinct snapshot_id as id from liability_parts where snapshot_id = any (${rows.map(({ id }) => id)})`.execute(
    worker,
  )
  expect(kept.map(({ id }) => id).toSorted()).toEqual([newest, open].toSorted())
  expect((await worker.transaction().execute((tx) => checkInvariants(tx, trustInvariants))).passed).toBe(true)
})
