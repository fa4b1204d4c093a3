import { loadavg } from 'node:os'
import type pg from 'pg'
import { type Api, startApi } from './api-process.ts'
import { cpuOf, cpuOfEnded, cpuOfFamily } from './cpu.ts'
import { type BenchDatabase, withBenchDatabase } from './database.ts'
import { openConnection } from './http-client.ts'
import { fill, pickTransfer, type Sender } from './http-senders.ts'
import { hasPgbench, measureRate, SIMPLE_UPDATE } from './load.ts'
import { median, type Row, report } from './report.ts'

/**
 * Measures POST /internal_transfer/ through the whole stack with 64 connections: from sessions bound to a key, each call
 * with its DPoP proof, to recipients who are known, so that no wallet signature is needed. Baselines: a minimal write (pgbench's
 * simple-update with 16 connections), and the same API with one transaction per request. Then it repeats the load for a
 * few minutes to check that memory does not grow. `node bench/http.ts [rounds] [seconds] [minutes]`.
 *
 * The rates depend on what else the machine does. The CPU time per call does so much less, so it has rows of its own. There is
 * one API process, as `npm start` and each machine of OPERATIONS.md have.
 */
const [ROUNDS = 5, SECONDS = 4, MINUTES = 5] = process.argv.slice(2).map(Number)
const WARM_REQUESTS = 50_000
const CONNECTIONS = 64
/** The compiler of the API process needs some thousand calls. */
const WARM_SECONDS = 4
/** Calls signed before a round, as a share of what the last round suggests. */
const PREPARED_SHARE = 1.5
const WRITERS = 16

/** Per second, and microseconds of CPU per call. `client` is pgbench, or this process. */
type Cost = { rate: number; api: number; database: number; client: number }
type Round = { simple: Cost; grouped: Cost; plain: Cost }
type Call = ReturnType<typeof makeCall>

async function run(database: BenchDatabase): Promise<void> {
  const { owner, urls, onEnd } = database
  const senders = await fill(owner)
  const [grouped, plain] = [await startApi('group', urls.api), await startApi('plain', urls.api)]
  for (const { child } of [grouped, plain]) onEnd(() => child.kill('SIGKILL'))
  let [groupedRate, plainRate] = [await load(grouped, senders, WARM_SECONDS), await load(plain, senders, 1)]
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const simple = await measureSimple(database)
    const costs = {
      grouped: await measure(database, grouped, senders, groupedRate),
      plain: await measure(database, plain, senders, plainRate),
    }
    rounds.push({ simple, ...costs })
    ;[groupedRate, plainRate] = [costs.grouped.rate, costs.plain.rate]
  }
  const early = await watchMemory(grouped, senders)
  await checkBooks(owner)
  print(rounds, grouped.rss, early)
}

/** What pgbench's smallest write costs. */
async function measureSimple({ ownerUrl: url, pid }: BenchDatabase): Promise<Cost> {
  const usedCpu = () => ({ api: 0, database: cpuOfFamily(pid() as number), client: cpuOfEnded(process.pid) })
  return withCpu(usedCpu, () => measureRate({ url, script: SIMPLE_UPDATE, clients: WRITERS }, SECONDS))
}

/** What a transfer costs. The calls are signed before, as users sign on their own devices, and pgbench has nothing to sign. */
async function measure({ pid }: BenchDatabase, api: Api, senders: Sender[], expectedRate: number): Promise<Cost> {
  const calls = Array.from({ length: Math.ceil(expectedRate * SECONDS * PREPARED_SHARE) }, () => makeCall(senders))
  const usedCpu = () => ({
    api: cpuOf(api.child.pid as number),
    database: cpuOfFamily(pid() as number),
    client: cpuOf(process.pid),
  })
  return withCpu(usedCpu, () => load(api, senders, SECONDS, calls))
}

type Cpu = Omit<Cost, 'rate'>

async function withCpu(usedCpu: () => Cpu, work: () => Promise<number>): Promise<Cost> {
  const [before, beganMs] = [usedCpu(), performance.now()]
  const rate = await work()
  const [after, calls] = [usedCpu(), (rate * (performance.now() - beganMs)) / 1000]
  const perCall = (key: keyof Cpu) => (after[key] - before[key]) / calls
  return { rate, api: perCall('api'), database: perCall('database'), client: perCall('client') }
}

/** Runs the load for `MINUTES`, after a warm-up that fills the heap. Returns the index of the first sample. */
async function watchMemory(api: Api, senders: Sender[]): Promise<number> {
  if (MINUTES > 0) for (let answered = 0; answered < WARM_REQUESTS; answered += 2 * (await load(api, senders, 2)));
  const began = api.rss.length
  if (MINUTES > 0) await load(api, senders, MINUTES * 60)
  return began
}

const PATH = '/api/internal_transfer/'

/** A transfer with its proof, which is valid for two minutes. */
function makeCall(senders: Sender[]) {
  const { headers, body } = pickTransfer(senders)
  return { headers: headers(), body }
}

/** Sends transfers over 64 keep-alive connections. Returns responses per second. Beyond `calls`, it signs as it sends. */
async function load({ port }: Api, senders: Sender[], seconds: number, calls: Call[] = []): Promise<number> {
  const began = performance.now()
  const end = began + seconds * 1000
  let answered = 0
  async function connection(): Promise<void> {
    const { post, close } = await openConnection(port)
    while (performance.now() < end) {
      const { headers, body } = calls.pop() ?? makeCall(senders)
      const status = await post(PATH, headers, body)
      if (status !== 200) throw new Error(`a transfer returned status ${status}`)
      answered++
    }
    close()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  return (answered * 1000) / (performance.now() - began)
}

/** The results are valid only if the ledger still balances. */
async function checkBooks(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query(`select
    (select sum(balance) from ledger_accounts) as total,
    (select count(*) from transfers where not predates_signatures) as transfers,
    (select count(*) from ledger_postings where kind = 'transfer') as postings`)
  const { total, transfers, postings } = rows[0]
  if (total !== '0' || transfers !== postings)
    throw new Error(`the ledger does not balance: ${JSON.stringify(rows[0])}`)
}

const names = {
  simple: `simple-update (${hasPgbench ? 'pgbench' : 'built-in client'})`,
  grouped: 'whole stack',
  plain: 'one transaction per request',
}

function print(rounds: Round[], rss: number[], early: number): void {
  for (const way of ['simple', 'grouped', 'plain'] as const) {
    const of = (key: keyof Cost) => Math.round(median(rounds.map((round) => round[way][key])))
    console.log(
      `${names[way]}: ${of('rate')}/s; CPU µs: API ${of('api')}, database ${of('database')}, client ${of('client')}`,
    )
  }
  console.log(`one API process, load of the machine ${loadavg()[0]?.toFixed(1)}`)
  const server = ({ api, database }: Cost) => api + database
  const rows: Row[] = [
    {
      name: 'POST /internal_transfer/ ÷ simple-update',
      ratio: median(rounds.map(({ grouped, simple }) => grouped.rate / simple.rate)),
      atLeast: 0.8,
    },
    {
      name: 'POST /internal_transfer/ ÷ one transaction per request',
      ratio: median(rounds.map(({ grouped, plain }) => grouped.rate / plain.rate)),
      atLeast: 2,
    },
    {
      name: 'CPU of API and database per transfer ÷ of the database per simple-update',
      ratio: median(rounds.map(({ grouped, simple }) => server(grouped) / server(simple))),
    },
    { name: 'memory of the API process, MB', ratio: Math.max(...rss) / 2 ** 20, atMost: 300 },
  ]
  const long = rss.slice(early)
  const fifth = Math.floor(long.length / 5)
  if (fifth > 0)
    rows.push({
      name: `memory in the last fifth of ${MINUTES} minutes ÷ in the first fifth`,
      ratio: median(long.slice(-fifth)) / median(long.slice(0, fifth)),
      atMost: 1.1,
    })
  report(rows)
}

await withBenchDatabase(run)
