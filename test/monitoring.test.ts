import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listMissingPackages } from '../scripts/debian-packages.mjs'
import { freePort } from '../src/server/embedded/postgres.ts'
import { testSettings } from '../src/server/testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../src/server/testing/chain.ts'
import { createTestDatabase, type TestDatabase } from '../src/server/testing/database.ts'
import { type Spawned, spawnProcess } from '../src/server/testing/processes.ts'
import { startTcpProxy, throughPort } from '../src/server/testing/tcp-proxy.ts'

/** All four processes, started as in production, each with a private port. Their database can fall silent. */
const names = ['api', 'worker', 'seeds', 'market'] as const
const withDatabase = ['api', 'worker', 'seeds'] as const
type Name = (typeof names)[number]

/** Prometheus gives up on a scrape after this time, unless it is configured otherwise. */
const SCRAPE_MS_MAX = 10_000

const started = new Map<Name, { running: Spawned; port: number }>()
let chain: PaymentChain
let database: TestDatabase
let proxy: Awaited<ReturnType<typeof startTcpProxy>>
beforeAll(async () => {
  chain = await startPaymentChain()
  await chain.mine(5)
  database = await createTestDatabase()
  proxy = await startTcpProxy(database.ownerUrl)
  for (const name of names) {
    const port = await freePort()
    const settings = {
      ...testSettings(name === 'market' ? '' : throughPort(database.urls[name], proxy.port)),
      ...chain.settings,
      PORT: String(await freePort()),
      METRICS_PORT: String(port),
    }
    started.set(name, { running: spawnProcess(name, settings), port })
  }
})
afterAll(async () => {
  for (const { running } of started.values()) running.child.kill('SIGKILL')
  await chain.stop()
  await proxy.stop()
  await database.drop()
})

/** Gives up when Prometheus would. */
async function ask(name: Name, path: string): Promise<{ status: number; text: string }> {
  const url = `http://127.0.0.1:${started.get(name)?.port}${path}`
  const reply = await fetch(url, { signal: AbortSignal.timeout(SCRAPE_MS_MAX) })
  return { status: reply.status, text: await reply.text() }
}

const statusOf = (name: Name, path: string) =>
  ask(name, path).then(
    ({ status }) => status,
    () => started.get(name)?.running.output(),
  )

test.each(names)('%s has a private port with health, readiness and metrics', async (name) => {
  await expect.poll(() => statusOf(name, '/readyz')).toBe(200)
  expect((await ask(name, '/healthz')).text).toBe('{"status":"ok"}')
  const { text } = await ask(name, '/metrics')
  expect(text).toContain('process_cpu_seconds_total')
  expect(text).toMatch(/^wellplay_ready 1$/m)
})

test('the worker reports its loops, and that it has read all final blocks', async () => {
  const figures = async () => (await ask('worker', '/metrics')).text
  await expect.poll(figures).toMatch(/^wellplay_deposits_behind_blocks\{chain="31337"\} 0$/m)
  // The pass that set this figure may still be running.
  await expect.poll(figures).toMatch(/^wellplay_loop_runs_total\{loop="watch-chain",outcome="done"\} \d/m)
  await expect.poll(figures).toMatch(/^wellplay_loop_runs_total\{loop="record-key-places",outcome="done"\} \d/m)
})

test('without an answer from the database, a process is alive but not ready, and Prometheus gets its figures in time', async () => {
  proxy.swallow()
  for (const name of withDatabase) {
    await expect.poll(() => statusOf(name, '/readyz')).toBe(503)
    const { checks } = JSON.parse((await ask(name, '/readyz')).text)
    expect(checks).toEqual([
      { name: 'process', ok: true },
      { name: 'database', ok: false, reason: expect.stringMatching(/./) },
    ])
    expect(await statusOf(name, '/healthz')).toBe(200)
    expect((await ask(name, '/metrics')).text).toMatch(/^wellplay_ready 0$/m)
  }
  expect(await statusOf('market', '/readyz')).toBe(200)
  proxy.pass()
  for (const name of withDatabase) await expect.poll(() => statusOf(name, '/readyz')).toBe(200)
})

const read = (path: string) => readFileSync(join(import.meta.dirname, '../deploy', path), 'utf8')
type Panel = { title: string; targets?: { expr: string }[] }

/** The PromQL of all alerts and all panels, with the name of each. */
function listQueries(): { name: string; expr: string }[] {
  const alerts = read('prometheus/alerts.yml').split(/^ {6}- alert: /m)
  const { panels }: { panels: Panel[] } = JSON.parse(read('grafana/wellplay.json'))
  return [
    ...alerts.slice(1).map((text) => ({
      name: /^\w+/.exec(text)?.[0] ?? '',
      expr: /expr: (\|\n(?: {10}.*\n)+|.*\n)/.exec(text)?.[1] ?? '',
    })),
    ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ name: title, expr }))),
  ]
}

/** The series that a query reads. Labels, their values and ranges are not names. */
const seriesIn = (expr: string): string[] =>
  expr.replace(/\{[^}]*\}|\[[^\]]*\]/g, '').match(/\b(?:wellplay|patroni|process|nodejs)_\w+|\bup\b/g) ?? []

/** The series of a metric: a histogram has three. */
function seriesOf(line: string): string[] {
  const [, name = '', type] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? []
  return type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => `${name}${part}`) : [name]
}

test('every alert and every panel uses series that exist in the real output of our processes', async () => {
  const outputs = await Promise.all(names.map((name) => ask(name, '/metrics')))
  const ours = new Set(outputs.flatMap(({ text }) => text.split('\n').flatMap(seriesOf)))
  const queries = listQueries()
  expect(queries.length).toBeGreaterThan(40)
  const unknown = queries.flatMap(({ name, expr }) => {
    const series = seriesIn(expr)
    if (series.length === 0) return [`${name}: no series in ${expr}`]
    // Prometheus itself adds `up`.
    const others = series.filter((each) => each !== 'up' && !each.startsWith('patroni_'))
    return others.filter((each) => !ours.has(each)).map((each) => `${name}: ${each}`)
  })
  expect(unknown).toEqual([])
})

/** The source of Patroni's REST API, which names all its metrics. */
const PATRONI_API = '/usr/lib/python3/dist-packages/patroni/api.py'

test.skipIf(listMissingPackages(['patroni']).length > 0)('Patroni has the series that our queries read', () => {
  const used = listQueries().flatMap(({ expr }) => seriesIn(expr).filter((each) => each.startsWith('patroni_')))
  expect(new Set(used).size).toBeGreaterThan(3)
  const source = readFileSync(PATRONI_API, 'utf8')
  for (const series of used) expect(source).toContain(`# TYPE ${series} `)
})
