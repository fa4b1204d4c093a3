import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

/** A statement that many connections repeat. It generates its own random values. */
export type Load = {
  url: string
  /** SQL, or pgbench's own simple-update. */
  script: string | typeof SIMPLE_UPDATE
  clients: number
  /** How many transfers one statement makes. */
  size?: number
}

export const SIMPLE_UPDATE = Symbol('pgbench -N')
const ACCOUNTS = 100_000

export const hasPgbench = spawnSync('pgbench', ['--version']).status === 0

/** Transfers per second, measured with pgbench if it is installed, otherwise with the built-in client. */
export async function measureRate({ url, script, clients, size = 1 }: Load, seconds: number): Promise<number> {
  const rate = hasPgbench
    ? await runPgbench(url, script, clients, seconds)
    : await runClients(url, script, clients, seconds)
  return rate * size
}

async function runPgbench(url: string, script: Load['script'], clients: number, seconds: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'wellplay-pgbench-'))
  try {
    const file = join(folder, 'script.sql')
    if (typeof script === 'string') writeFileSync(file, `${script.replaceAll('\n', ' ')};\n`)
    const what = typeof script === 'string' ? ['-f', file] : ['-N']
    const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), ...what, url]
    const { code, output } = await run('pgbench', args)
    const rate = /tps = ([\d.]+) \(without/.exec(output)?.[1]
    if (code !== 0 || !rate) throw new Error(`pgbench failed:\n${output}`)
    return Number(rate)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(command: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.once('error', reject).once('close', (code) => resolve({ code, output }))
  })
}

/** Statements per second, measured with the built-in client on the `pg` driver. */
export async function runClients(url: string, script: Load['script'], count: number, seconds: number) {
  const clients = Array.from({ length: count }, () => new pg.Client({ connectionString: url }))
  await Promise.all(clients.map((client) => client.connect()))
  const [beganMs, endMs] = [performance.now(), performance.now() + seconds * 1000]
  let done = 0
  await Promise.all(
    clients.map(async (client) => {
      for (; performance.now() < endMs; done++)
        await (typeof script === 'string' ? client.query({ name: 'load', text: script }) : simpleUpdate(client))
    }),
  )
  const rate = (done * 1000) / (performance.now() - beganMs)
  await Promise.all(clients.map((client) => client.end()))
  return rate
}

/** The same statements as pgbench -N. */
async function simpleUpdate(client: pg.Client): Promise<void> {
  const [account, delta] = [1 + Math.floor(Math.random() * ACCOUNTS), Math.floor(Math.random() * 10_000) - 5_000]
  await client.query('begin')
  await client.query({
    name: 'update',
    text: 'update pgbench_accounts set abalance = abalance + $2 where aid = $1',
    values: [account, delta],
  })
  await client.query({ name: 'read', text: 'select abalance from pgbench_accounts where aid = $1', values: [account] })
  await client.query({
    name: 'insert',
    text: 'insert into pgbench_history (tid, bid, aid, delta, mtime) values (1, 1, $1, $2, current_timestamp)',
    values: [account, delta],
  })
  await client.query('end')
}

/** The tables that `pgbench -i` creates at scale 1. */
export const pgbenchTables = `
  create table pgbench_branches (bid int primary key, bbalance int, filler char(88));
  create table pgbench_tellers (tid int primary key, bid int, tbalance int, filler char(84));
  create table pgbench_accounts (aid int primary key, bid int, abalance int, filler char(84));
  create table pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
  insert into pgbench_branches values (1, 0, '');
  insert into pgbench_tellers select tid, 1, 0, '' from generate_series(1, 10) as tid;
  insert into pgbench_accounts select aid, 1, 0, '' from generate_series(1, ${ACCOUNTS}) as aid`
