import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort, type LoginName, startPostgres } from '../../src/server/embedded/postgres.ts'
import { readConfig } from '../../src/server/platform/config.ts'
import { surviveDisconnects } from '../../src/server/platform/db.ts'
import { migrate } from '../../src/server/platform/migrate.ts'
import { fundDevelopment } from '../../src/server/processes/development.ts'
import { testSettings } from '../../src/server/testing/api.ts'
import { startBadNode } from '../../src/server/testing/bad-node.ts'
import { startPaymentChain } from '../../src/server/testing/chain.ts'
import { createClient } from './client.ts'
import { keepMining } from './miner.ts'
import { createModel } from './model.ts'
import { gatherPeople } from './people.ts'
import { keepProcess } from './processes.ts'

/** The whole product in separate processes, with a database and a chain, connected through the bad node. */
export async function createWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'wellplay-test-'))
  // PostgreSQL does not run as root and needs access to the folder.
  chmodSync(folder, 0o755)
  const [postgres, chain] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'postgres') }),
    startPaymentChain(),
  ])
  await migrate(postgres.ownerUrl)
  const owner = surviveDisconnects(new pg.Pool({ connectionString: postgres.ownerUrl, max: 4 }))
  owner.on('error', () => {})
  const node = await startBadNode(chain.settings.RPC_URL)
  // With the worker's login: the faults do its work in processes of their own.
  const settings = {
    ...testSettings(postgres.urls.worker),
    ...chain.settings,
    RPC_URL: node.url,
    FAUCET_KEY: chain.richKey,
    LOG_LEVEL: 'warn',
  }
  const as = (name: LoginName) => ({ ...settings, DATABASE_URL: postgres.urls[name] })
  const miner = keepMining(() => chain.mine())
  const ports = await Promise.all([freePort(), freePort()])
  mkdirSync(join(folder, 'logs'))
  const apis = ports.map((port, at) =>
    keepProcess('api', { ...as('api'), PORT: String(port) }, join(folder, 'logs', `api-${at}.log`)),
  )
  const worker = keepProcess('worker', as('worker'), join(folder, 'logs', 'worker.log'))
  const seeds = keepProcess('seeds', as('seeds'), join(folder, 'logs', 'seeds.log'))
  const client = createClient(ports)
  const world = {
    folder,
    postgres,
    chain,
    node,
    owner,
    ownerUrl: postgres.ownerUrl,
    settings,
    apis,
    worker,
    client,
    model: createModel(),
    miner,
    async stop({ keepLogs = false } = {}): Promise<void> {
      await Promise.all([...apis, worker, seeds].map((kept) => kept.stop()))
      await miner.stop()
      node.stop()
      await owner.end().catch(() => {})
      await postgres.stop()
      await chain.stop()
      rmSync(keepLogs ? join(folder, 'postgres') : folder, { recursive: true, force: true })
    },
  }
  try {
    await fundDevelopment(readConfig({ ...as('operator'), RPC_URL: chain.settings.RPC_URL }), join(folder, 'operators'))
    return { ...world, people: await gatherPeople(world) }
  } catch (error) {
    await world.stop()
    throw error
  }
}

export type World = Awaited<ReturnType<typeof createWorld>>
