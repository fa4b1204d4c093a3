import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startChild, withLogFile } from '../../src/server/embedded/child.ts'
import { freePort } from '../../src/server/embedded/postgres.ts'
import { type Kept, keepProcess } from '../faults/processes.ts'
import { untilTrue } from '../faults/until.ts'
import type { Database } from './database.ts'
import { deployPath, environmentFrom } from './deploy.ts'
import type { Network } from './network.ts'

const READY_MS_MAX = 240_000
/** Longer than two checks of HAProxy. */
const DRAIN_SECONDS = '1'

type Env = Record<string, string>
export type Part = Kept & { name: string }
type Options = { folder: string; network: Network; database: Database; settings: Env; port: number }

/** Two API and two worker processes, seeds, market, and HAProxy in front of the API. `settings` are of the chain. */
export async function startProduct({ folder, network, database, settings, port }: Options) {
  const logs = join(folder, 'logs')
  mkdirSync(logs)
  const marketPort = String(await freePort())
  const common = {
    ...settings,
    DRAIN_SECONDS,
    MARKET_URL: `http://127.0.0.1:${marketPort}`,
    PUBLIC_URL: `http://localhost:${port},http://127.0.0.1:${port}`,
  }
  async function start(process: 'api' | 'worker' | 'seeds', name: string, own: Env = {}): Promise<Part> {
    const DATABASE_URL = await database.urlFor(name, process)
    return { name, ...keepProcess(process, { ...common, ...own, DATABASE_URL }, join(logs, `${name}.log`)) }
  }
  const ports = [await freePort(), await freePort()]
  const apis = await Promise.all(ports.map((each, at) => start('api', `api${at + 1}`, { PORT: String(each) })))
  const workers = await Promise.all(['worker1', 'worker2'].map((name) => start('worker', name)))
  const seeds = await start('seeds', 'seeds')
  const market = keepProcess('market', { ...settings, PORT: marketPort }, join(logs, 'market.log'))
  const [api1 = '', api2 = ''] = await Promise.all(
    ports.map((each, at) => network.link('haproxy', `api${at + 1}`, each)),
  )
  const haproxy = withLogFile(join(logs, 'haproxy.log'), (output) =>
    startChild({
      command: '/usr/sbin/haproxy',
      args: ['-db', '-f', deployPath('haproxy/haproxy.cfg')],
      env: environmentFrom('haproxy/haproxy.env', { HAPROXY_BIND: `127.0.0.1:${port}`, API1: api1, API2: api2 }),
      signal: 'TERM',
      output,
    }),
  )
  const becomeReady = async () => void (await Promise.all([...ports, port].map(waitUntilReady)))
  const product = {
    apis,
    workers,
    port,
    becomeReady,
    /** Stops an API process with SIGTERM and waits until the next one is ready. */
    async restartApi(at: number): Promise<void> {
      await apis[at]?.restart()
      await waitUntilReady(ports[at] ?? 0)
    },
    async stop(): Promise<void> {
      await Promise.all([...apis, ...workers, seeds, market].map((part) => part.stop()))
      await haproxy.stop(2_000)
    },
  }
  try {
    await becomeReady()
    return product
  } catch (error) {
    await product.stop()
    throw error
  }
}

const waitUntilReady = (port: number) => untilTrue(() => isReady(port), READY_MS_MAX)

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
