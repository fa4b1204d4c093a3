import { sql } from 'kysely'
import pg from 'pg'
import { parseUsdt } from '../src/protocol/money.ts'
import { dayOf } from '../src/protocol/time.ts'
import { type Context, createContext, type User } from '../src/server/context.ts'
import { readDetails } from '../src/server/features/balance/details.ts'
import { statementOf } from '../src/server/features/balance/statement.ts'
import { readTimeline } from '../src/server/features/balance/timeline.ts'
import { getPlace, listDirect, listDownline } from '../src/server/features/referrals/queries.ts'
import { transferHistory } from '../src/server/features/transfers/history.ts'
import { transferInvariants } from '../src/server/features/transfers/invariants.ts'
import { userAccount } from '../src/server/ledger/accounts.ts'
import { auditAndHalt, formatReport } from '../src/server/ledger/audit.ts'
import { post } from '../src/server/ledger/post.ts'
import { invariants } from '../src/server/operators/invariants.ts'
import { readConfig } from '../src/server/platform/config.ts'
import { newId, transaction } from '../src/server/platform/db.ts'
import { readPage } from '../src/server/platform/history.ts'
import { createAppLogin, withDatabase } from '../src/server/testing/database.ts'
import { benchSettings } from './api-process.ts'
import { type BenchDatabase, withBenchDatabase } from './database.ts'
import { people, prepareUsers, writeHistory, writeNews } from './growth-history.ts'
import { median, type Row, report } from './report.ts'

/**
 * Compares the product with a long history with the same product with a short one: one database per size, the
 * measurements in turns. `node bench/growth.ts [--quick] [--entries 100M]`.
 */
const sizes = [100_000, 1_000_000]
const flag = process.argv.indexOf('--entries')
if (flag > 0) sizes.push(Number(process.argv[flag + 1]?.replace(/M$/, '000000')))
else if (!process.argv.includes('--quick')) sizes.push(10_000_000)
const ROUNDS = 15
const CALLS = 20
const AUDITS = 5
/** What a busy minute adds before each audit. */
const NEWS = 20_000

type Size = { entries: number; url: string; context: Context; close(): Promise<void> }

async function run({ ownerUrl, owner }: BenchDatabase): Promise<void> {
  const appUrl = await createAppLogin(ownerUrl)
  await prepareUsers(owner)
  // PostgreSQL copies a database only while it has no connections.
  await owner.end()
  const all: Size[] = []
  for (const entries of sizes) all.push(await build(ownerUrl, appUrl, entries))
  const rows = [...(await callRows(all)), ...(await auditRows(all))]
  for (const { close } of all) await close()
  report(rows)
}

async function asOwner<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** A copy of the prepared database with a history of this length. */
async function build(ownerUrl: string, appUrl: string, entries: number): Promise<Size> {
  const name = `growth_${entries}`
  const url = withDatabase(ownerUrl, name)
  const beganMs = performance.now()
  await asOwner(withDatabase(ownerUrl, 'postgres'), (client) =>
    client.query(`create database ${name} template ${new URL(ownerUrl).pathname.slice(1)}`),
  )
  await asOwner(url, (client) => writeHistory(client, entries))
  console.log(
    `${entries.toLocaleString('en')} entries written in ${Math.round((performance.now() - beganMs) / 1000)} s`,
  )
  const { context, close } = createContext(readConfig(benchSettings(withDatabase(appUrl, name))), 'bench')
  return { entries, url, context, close }
}

/** What people do all day, and what it needs from the history. */
async function callsOf({ db, ...context }: Context): Promise<Record<string, (round: number) => Promise<unknown>>> {
  const { rows } = await sql<User>`
    select id, number, username, wallet_address as "walletAddress" from users where number = ${people.usual}`.execute(
    db,
  )
  const usual = rows[0]
  if (!usual) throw new Error('the user is missing')
  const root = await getPlace(db, people.root)
  const transfers = (page_no: number) => readPage(db, transferHistory(people.busy), { page_no })
  const statement = (page_no: number) => readPage(db, statementOf(people.busy, 'wallet'), { page_no })
  // In the product the first pages count the days of a long list, for a quarter of a second each. Here it is done at once.
  await readPage(db, transferHistory(people.busy), { page_no: 1 }, Number.POSITIVE_INFINITY)
  await readPage(db, statementOf(people.busy, 'wallet'), { page_no: 1 }, Number.POSITIVE_INFINITY)
  return {
    details: () => readDetails({ db, ...context }, usual),
    'statement, page 1': () => statement(1),
    'statement, page 200': () => statement(200),
    'timeline of 30 days': () => readTimeline(db, people.usual, dayOf(new Date()), 30),
    'transfers, page 1': () => transfers(1),
    'transfers, page 200': () => transfers(200),
    'tree, direct referrals of a hub': () => listDirect(db, people.hub, { page_no: 1 }),
    'tree, all referrals of the root': () => listDownline(db, root, { page_no: 1 }),
    'one posting': (round) => {
      const user = 100 + (round % 1000)
      const movements = [{ from: userAccount(user, 'wallet'), to: userAccount(user, 'bet'), amount: parseUsdt('1') }]
      return transaction(db, (tx) => post(tx, { kind: 'bet_deposit', reference: newId(), movements }))
    },
  }
}

async function callRows(all: Size[]): Promise<Row[]> {
  const calls = await Promise.all(all.map(({ context }) => callsOf(context)))
  const rows: Row[] = []
  for (const name of Object.keys(calls[0] ?? {})) {
    const times = calls.map((): number[] => [])
    for (let round = 0; round <= ROUNDS; round++)
      for (const [at, { [name]: call }] of calls.entries()) {
        const beganMs = performance.now()
        for (let turn = 0; turn < CALLS; turn++) await call?.(round * CALLS + turn)
        if (round > 0) times[at]?.push((performance.now() - beganMs) / CALLS)
      }
    rows.push(...ratiosOf(name, all, times, 1.3))
  }
  return rows
}

/** The first audit of a database reads everything and seals it. The ones after it are measured. */
async function auditRows(all: Size[]): Promise<Row[]> {
  const times = all.map((): number[] => [])
  for (let round = 0; round <= AUDITS; round++)
    for (const [at, { url, context }] of all.entries()) {
      await asOwner(url, (client) => writeNews(client, NEWS))
      const beganMs = performance.now()
      const audit = await auditAndHalt(context.db, [...invariants, ...transferInvariants(context.chain)])
      if (round > 0) times[at]?.push(performance.now() - beganMs)
      if (!audit.passed) throw new Error(formatReport(audit))
    }
  return ratiosOf('minute audit', all, times, 1.5)
}

function ratiosOf(name: string, all: Size[], times: number[][], atMost: number): Row[] {
  const medians = times.map(median)
  console.log(`${name}: ${medians.map((ms) => `${ms.toFixed(2)} ms`).join(', ')}`)
  const [smallest] = all
  return all.slice(1).map(({ entries }, at) => {
    const sizes = `at ${entries.toLocaleString('en')} ÷ at ${smallest?.entries.toLocaleString('en')}`
    return { name: `${name}, ${sizes}`, ratio: (medians[at + 1] ?? Number.NaN) / (medians[0] ?? Number.NaN), atMost }
  })
}

await withBenchDatabase(run)
