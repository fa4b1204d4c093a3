import { randomUUID } from 'node:crypto'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { keyedId } from '../src/server/platform/idempotency.ts'
import { type Api, startApi } from './api-process.ts'
import { type BenchDatabase, withBenchDatabase } from './database.ts'
import { openConnection } from './http-client.ts'
import { fill, pickTransfer, type Sender } from './http-senders.ts'
import { median, type Row, report } from './report.ts'

/**
 * Sends transfers with as many clients as saturate the API, then with four and forty times as many. A client that gets
 * 503 waits as long as Retry-After says, and twice as long after each further attempt, and repeats the call with the same
 * key, as the web app does (web/shared/api/service-wait.ts). At the end all acknowledged transfers are compared with the
 * ledger. The clients share the machine with the API, so forty times as many cost it more than they would elsewhere.
 * `node bench/overload.ts [rounds] [seconds]`.
 */
const [ROUNDS = 5, SECONDS = 4] = process.argv.slice(2).map(Number)
/** Not measured: all clients sign their first call at once, on the machine of the API. */
const RAMP_SECONDS = 2
const SATURATING = 64
const TIMES = [1, 4, 40] as const
const [RETRY_AFTER_MS, PAUSE_MS_MAX] = [1_000, 5_000]

type Result = { rate: number; p99Ms: number; refused: number }
type Round = Record<(typeof TIMES)[number], Result>

async function run({ owner, urls, onEnd }: BenchDatabase): Promise<void> {
  const senders = await fill(owner)
  const api = await startApi('group', urls.api)
  onEnd(() => api.child.kill('SIGKILL'))
  const acknowledged = new Set<string>()
  const load = (times: number) => measure(api, senders, times * SATURATING, acknowledged)
  await load(1)
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push({ 1: await load(1), 4: await load(4), 40: await load(40) })
  print(rounds, await compare(owner, acknowledged))
}

/** Every client repeats its call until it is acknowledged, so that none is left open at the end. */
async function measure(api: Api, senders: Sender[], clients: number, acknowledged: Set<string>): Promise<Result> {
  const connections = await Promise.all(Array.from({ length: clients }, () => openConnection(api.port)))
  const began = performance.now() + RAMP_SECONDS * 1000
  const end = began + SECONDS * 1000
  const latencies: number[] = []
  let [inTime, refused] = [0, 0]
  async function client({ post, close }: (typeof connections)[number]): Promise<void> {
    while (performance.now() < end) {
      const { from, headers, body } = pickTransfer(senders)
      const key = randomUUID()
      for (let attempts = 0; ; attempts++) {
        const sentMs = performance.now()
        const status = await post('/api/internal_transfer/', { ...headers(), key }, body)
        if (status === 200 && sentMs >= began) latencies.push(performance.now() - sentMs)
        if (status === 200) break
        if (status !== 503) throw new Error(`a transfer returned status ${status}`)
        refused++
        await sleep(Math.min(RETRY_AFTER_MS * 2 ** attempts, PAUSE_MS_MAX) * (0.5 + Math.random()))
      }
      acknowledged.add(keyedId('transfer', from.number, key))
      const nowMs = performance.now()
      if (nowMs >= began && nowMs < end) inTime++
    }
    close()
  }
  await Promise.all(connections.map(client))
  const sorted = latencies.sort((a, b) => a - b)
  return { rate: inTime / SECONDS, p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN, refused }
}

/** The ledger must have each acknowledged transfer once, and no other. */
async function compare(owner: pg.Client, acknowledged: Set<string>): Promise<{ lost: number; doubled: number }> {
  const { rows } = await owner.query<{ id: string; entries: number }>(`
    select reference as id, count(*)::int as entries from ledger_entries where kind = 'transfer' group by 1`)
  const stored = new Set(rows.map(({ id }) => id))
  const lost = [...acknowledged].filter((id) => !stored.has(id)).length
  const doubled = rows.filter(({ id, entries }) => entries !== 2 || !acknowledged.has(id)).length
  return { lost, doubled }
}

function print(rounds: Round[], { lost, doubled }: { lost: number; doubled: number }): void {
  for (const times of TIMES) {
    const of = (key: keyof Result) => Math.round(median(rounds.map((round) => round[times][key])))
    console.log(`${times * SATURATING} clients: ${of('rate')}/s, p99 ${of('p99Ms')} ms, ${of('refused')} refused`)
  }
  console.log(`lost=${lost} doubled=${doubled}, load of the machine ${loadavg()[0]?.toFixed(1)}`)
  const ratio = (key: 'rate' | 'p99Ms', times: 4 | 40) =>
    median(rounds.map((round) => round[times][key] / round[1][key]))
  const rows: Row[] = [
    { name: 'transfers/s with 4 × the clients that saturate ÷ with 1 ×', ratio: ratio('rate', 4), atLeast: 0.9 },
    { name: 'p99 of accepted transfers with 4 × ÷ with 1 ×', ratio: ratio('p99Ms', 4), atMost: 4 },
    { name: 'transfers/s with 40 × ÷ with 1 ×', ratio: ratio('rate', 40), atLeast: 0.5 },
    { name: 'p99 of accepted transfers with 40 × ÷ with 1 ×', ratio: ratio('p99Ms', 40), atMost: 8 },
    { name: 'acknowledged transfers that are lost', ratio: lost, atMost: 0 },
    { name: 'transfers that are stored twice or were not acknowledged', ratio: doubled, atMost: 0 },
  ]
  report(rows)
}

await withBenchDatabase(run)
