import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { CHANNEL } from '../src/server/platform/events.ts'
import type { Api } from './api-process.ts'
import { median, type Row } from './report.ts'

const CLIENTS = 2
/** Files that the API needs besides the streams. */
const FILES_LEFT = 200
const REST_MS = 2_000

type Heard = { count: number; firstMs: number; lastMs: number }

/** Opens streams to the API from several processes, publishes rounds, and compares when the streams see them. */
export async function streamRows(
  owner: pg.Client,
  { port, rss }: Api,
  { streams, rounds }: { streams: number; rounds: number },
): Promise<Row[]> {
  const filesMax = Number(execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' })) || Number.POSITIVE_INFINITY
  const each = Math.floor(Math.min(streams, filesMax - FILES_LEFT) / CLIENTS)
  if (each * CLIENTS < streams) console.log(`The open-files limit is ${filesMax}: only ${each * CLIENTS} streams`)
  const idleMb = (rss.at(-1) ?? 0) / 2 ** 20
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, (_, at) => startClient([String(port), String(each), `127.0.0.${2 + at}`])),
  )
  const spreadsMs: number[] = []
  const missed: number[] = []
  for (let number = 1; number <= rounds; number++) {
    const heard = await playRound(owner, clients, number)
    spreadsMs.push(Math.max(...heard.map(({ lastMs }) => lastMs)) - Math.min(...heard.map(({ firstMs }) => firstMs)))
    missed.push(each * CLIENTS - heard.reduce((sum, { count }) => sum + count, 0))
  }
  const openMb = (rss.at(-1) ?? 0) / 2 ** 20
  for (const client of clients) client.kill('SIGKILL')
  console.log(`last stream after the first, ms: ${spreadsMs.map((ms) => ms.toFixed(0)).join(', ')}`)
  return [
    {
      name: `${each * CLIENTS} streams: seconds from the first to the last`,
      ratio: median(spreadsMs) / 1000,
      atMost: 1,
    },
    { name: 'streams that missed a round', ratio: Math.max(...missed), atMost: 0 },
    { name: 'memory per stream, kB', ratio: ((openMb - idleMb) * 1024) / (each * CLIENTS) },
  ]
}

async function startClient(args: string[]): Promise<ChildProcess> {
  const client = fork(new URL('events-client.ts', import.meta.url), args)
  const failed = once(client, 'exit').then(() => Promise.reject(new Error('a client process has ended')))
  failed.catch(() => {})
  await Promise.race([once(client, 'message'), failed])
  return client
}

/** A round as long as a real one. Returns what each client has heard of it. */
async function playRound(owner: pg.Client, clients: ChildProcess[], number: number): Promise<Heard[]> {
  const data = { number, state: 'drawn', filler: 'x'.repeat(600) }
  await owner.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify([{ topic: 'round', data }])])
  await sleep(REST_MS)
  return Promise.all(
    clients.map(async (client) => {
      client.send(number)
      const [heard] = await once(client, 'message')
      return heard as Heard
    }),
  )
}
