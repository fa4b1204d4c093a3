import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../embedded/postgres.ts'
import { testSettings } from '../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../testing/chain.ts'
import { createOwnerPool, createTestDatabase, type TestDatabase } from '../testing/database.ts'
import {
  childrenOf,
  familyOf,
  killFamily,
  type Spawned,
  spawnProcess,
  spawnWith,
  stillRunning,
} from '../testing/processes.ts'
import { startTcpProxy, throughPort } from '../testing/tcp-proxy.ts'

/** Then the process has no limit. Without one, the worker waits for two minutes; a busy machine only delays the limit. */
const HANG_MS = 60_000

/** R28: SIGTERM ends every process within ten seconds, whatever it waits for. It names its own limit when that is reached. */
async function expectEnd({ stop, output }: Spawned): Promise<void> {
  const code = await Promise.race([stop(), sleep(HANG_MS, 'hangs', { ref: false })])
  expect([0, 1]).toContain(code)
  if (code === 1) expect(Number(/Not stopped within (\d+) seconds/.exec(output())?.[1])).toBeLessThan(10)
}

const folder = mkdtempSync(join(tmpdir(), 'wellplay-stop-'))
const started: Spawned[] = []
let chain: PaymentChain
let database: TestDatabase
beforeAll(async () => {
  chain = await startPaymentChain()
  await chain.mine(5)
  database = await createTestDatabase()
})
afterAll(async () => {
  for (const { child } of started) killFamily(child)
  await chain.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

function keep(spawned: Spawned): Spawned {
  started.push(spawned)
  return spawned
}

/** Settings whose database and chain node are behind proxies that can fall silent. */
async function behindProxies() {
  const [node, postgres] = [await startTcpProxy(chain.settings.RPC_URL), await startTcpProxy(database.ownerUrl)]
  const port = await freePort()
  const settings = {
    ...testSettings(''),
    ...chain.settings,
    RPC_URL: node.url,
    PORT: String(port),
    LOG_LEVEL: 'warn',
  }
  return {
    port,
    settings,
    urlOf: (login: 'api' | 'worker' | 'seeds') => throughPort(database.urls[login], postgres.port),
    fallSilent: () => [node, postgres].map((proxy) => proxy.swallow()),
    stop: () => Promise.all([node.stop(), postgres.stop()]),
  }
}

const answers = (url: string) =>
  vi.waitFor(async () => expect((await fetch(url)).status).toBe(200), { timeout: 60_000 })

// Each process has its own proxies and waits for its own limit, so they wait together.
test.concurrent.for(['api', 'market'] as const)('%s ends when database and node swallow everything', async (name) => {
  const { port, settings, urlOf, fallSilent, stop } = await behindProxies()
  const own = name === 'api' ? { DATABASE_URL: urlOf('api') } : {}
  const running = keep(spawnProcess(name, { ...settings, ...own }))
  await answers(`http://127.0.0.1:${port}/readyz`)
  fallSilent()
  // A call that is waiting for the database must not keep the process alive.
  const hanging = fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
  await expectEnd(running)
  await hanging
  await stop()
})

test.concurrent.for([
  ['worker', 'select from chain_cursor'],
  ['seeds', 'select from colour_rounds'],
] as const)('%s ends when database and node swallow everything', async ([name, hasWorked], { expect }) => {
  const { settings, urlOf, fallSilent, stop } = await behindProxies()
  const running = keep(spawnProcess(name, { ...settings, DATABASE_URL: urlOf(name) }))
  const owner = createOwnerPool(database.ownerUrl)
  await expect.poll(async () => (await owner.query(hasWorked)).rowCount).toBeGreaterThan(0)
  await owner.end()
  fallSilent()
  await expectEnd(running)
  await stop()
})

test.concurrent('up ends with all its children, even if database, chain and every process are frozen', async ({
  expect,
}) => {
  const settings = { PORT: String(await freePort()), DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' }
  const running = keep(spawnWith(['up'], settings))
  await vi.waitFor(() => expect(running.output()).toContain('Ctrl-C'), { timeout: 110_000, interval: 200 })
  const family = familyOf(running.child)
  // The children of `up` are shells that guard the real processes.
  const frozen = childrenOf(...childrenOf(running.child.pid ?? 0))
  for (const pid of frozen) process.kill(pid, 'SIGSTOP')
  await expectEnd(running)
  await expect.poll(() => stillRunning(family)).toEqual([])
})
