import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { brand } from '../../protocol/brand.ts'
import { startAnvil } from '../embedded/anvil.ts'
import { freePort, type LoginName, type Postgres, startPostgres } from '../embedded/postgres.ts'
import {
  type Config,
  ConfigError,
  OWNER_FILE,
  pickSettings,
  readConfig,
  readUpSettings,
  SETTINGS_FILE,
} from '../platform/config.ts'
import { takeInstanceLock } from '../platform/instance-lock.ts'
import { redactUrls } from '../platform/redact.ts'
import { StartError } from '../platform/start-error.ts'
import { chooseMetricsPorts, describeTargets, TARGETS_FILE } from './metrics-ports.ts'
import { startProcess } from './start-process.ts'
import { buildWeb, startWebDevServer } from './web-build.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** A step that takes longer than this is printed while it is still running. */
const SLOW_MS = 1_000
/** Together less than the time that main.ts allows. All services stop at once, so the slowest one counts. */
const STOP_MS_MAX = { services: 6_000, all: 7_500 }
/** A part that has not stopped after `timeoutMs` is killed. */
type Part = { stop(timeoutMs: number): Promise<void> }
/** Services use the embedded parts, so they stop first. */
type Parts = { embedded: Part[]; services: Part[] }
type Env = Record<string, string>

// Heavy modules are imported where they are needed, so that wrong settings are reported immediately.
/** Runs the whole product. Parts that the settings name are used; the others are started and stopped here. */
export async function up(given: Env, { watch }: { watch: boolean }): Promise<{ stop(): Promise<void> }> {
  await checkSettings(given)
  const { port, dataDir, databases } = readUpSettings(given)
  const lock = await takeInstanceLock(dataDir, `http://localhost:${port}`)
  const parts: Parts = { embedded: [], services: [] }
  const stop = async () => {
    const endMs = performance.now() + STOP_MS_MAX.all
    await stopAll(parts.services, STOP_MS_MAX.services)
    await stopAll(parts.embedded, endMs - performance.now())
    await lock.stop()
  }
  try {
    await requireFreePort(port)
    const { settings, operator } = await startParts(given, { dataDir, port, databases, watch }, parts)
    if (operator.network === 'development' && operator.chain.faucetKey)
      await step('Funding the pools with test money', () => fund(operator, dataDir))
    printReady(settings, watch)
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

/** Lists all mistakes at once. Only parts that run elsewhere can be asked before anything starts. */
async function checkSettings(given: Env): Promise<void> {
  if (!given['RPC_URL'] && !given['DATABASE_OWNER_URL']) return
  const { checkUp, describeUnknown } = await import('../operators/start-check.ts')
  const { mistakes, unknown } = await checkUp(given)
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  if (unknown.length > 0) console.error(redactUrls(describeUnknown(unknown)))
}

const stopAll = (parts: Part[], timeoutMs: number) => Promise.allSettled(parts.map((part) => part.stop(timeoutMs)))

type Plan = ReturnType<typeof readUpSettings> & { watch: boolean }

async function startParts(
  given: Env,
  { dataDir, port, databases, watch }: Plan,
  { embedded, services }: Parts,
): Promise<Started> {
  const [database, chain] = await Promise.all([
    step('Database', async () => databases ?? startDatabase(dataDir, embedded)),
    step('Chain', () => startChain(given, dataDir, embedded)),
    watch ? undefined : step('Web app', () => buildWeb(ROOT)),
  ])
  const marketPort = await freePort()
  const market = given['MARKET_URL'] ?? `http://127.0.0.1:${marketPort}`
  const metricsPorts = await chooseMetricsPorts(given)
  const settings: Env = { ...given, ...chain, PORT: String(port), ...metricsPorts.api, MARKET_URL: market }
  const as = (name: LoginName): Env => ({ ...settings, DATABASE_URL: database.urls[name] })
  readConfig(as('api'))
  const { migrate } = await import('../platform/migrate.ts')
  await step('Tables', () => migrate(database.ownerUrl))
  // Written before the services start, so that the operator's commands work as soon as the product is up.
  writeSecret(join(dataDir, SETTINGS_FILE), pickSettings('ops', as('operator')))
  writeSecret(join(dataDir, OWNER_FILE), { DATABASE_OWNER_URL: database.ownerUrl })
  writeFileSync(join(dataDir, TARGETS_FILE), describeTargets(given, metricsPorts))
  const common = { logFolder: join(dataDir, 'logs'), watch }
  await step('Services', async () => {
    const apiPort = watch ? await freePort() : port
    const publicUrls = `http://localhost:${port},http://127.0.0.1:${port}`
    const PUBLIC_URL = given['PUBLIC_URL'] ?? publicUrls
    const api = startProcess('api', { settings: { ...as('api'), PORT: String(apiPort), PUBLIC_URL }, ...common })
    services.push(api)
    await api.waitUntilHealthy(`http://127.0.0.1:${apiPort}/healthz`)
    // After the API, because users wait for that one, and all of them would share the processor.
    for (const name of ['worker', 'seeds'] as const)
      services.push(startProcess(name, { settings: { ...as(name), ...metricsPorts[name], PUBLIC_URL }, ...common }))
    if (!given['MARKET_URL']) {
      const own = { ...settings, ...metricsPorts.market, PORT: String(marketPort) }
      services.push(startProcess('market', { settings: own, ...common }))
    }
    if (watch) services.push(await startWebDevServer(ROOT, port, apiPort))
  })
  return { settings, operator: readConfig(as('operator')) }
}

/** `operator` has the operator's login, and on a development chain the faucet's key. */
type Started = { settings: Env; operator: Config }

const writeSecret = (path: string, content: Env) => writeFileSync(path, JSON.stringify(content), { mode: 0o600 })

async function startDatabase(dataDir: string, embedded: Part[]): Promise<Logins> {
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), log: console.error })
  embedded.push(postgres)
  return postgres
}

type Logins = Pick<Postgres, 'ownerUrl' | 'urls'>

/** The settings of the development chain, which is started here unless the settings name another chain. */
export async function startChain(given: Env, dataDir: string, embedded: Part[]): Promise<Env> {
  if (given['RPC_URL']) return {}
  const anvil = await startAnvil({ dataDir: join(dataDir, 'chain'), log: console.error })
  embedded.push(anvil)
  const { developmentChain } = await import('../embedded/contracts.ts')
  const chain = await developmentChain(anvil.rpcUrl)
  return {
    RPC_URL: anvil.rpcUrl,
    CHAIN_ID: String(chain.chainId),
    USDT_ADDRESS: chain.tokens.usdt.address,
    JW_ADDRESS: chain.tokens.jw.address,
    JWC_ADDRESS: chain.tokens.jwc.address,
    PAIR_ADDRESS: chain.pair,
    VAULT_ADDRESS: chain.vault,
    HOT_WALLET_ADDRESS: chain.hotWalletAddress,
    FAUCET_ADDRESS: chain.faucetAddress,
    HOT_WALLET_KEY: chain.hotWalletKey,
    PUBLISHER_KEY: chain.publisherKey,
    RECEIPT_KEY: chain.receiptKey,
    FAUCET_KEY: chain.faucetKey,
  }
}

const fund = async (config: Config, dataDir: string) =>
  (await import('./development.ts')).fundDevelopment(config, join(dataDir, 'operators'))

async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const began = Date.now()
  const slow = setTimeout(() => console.log(`  … ${name}`), SLOW_MS)
  const result = await work().finally(() => clearTimeout(slow))
  console.log(`  ✓ ${name.padEnd(36)} ${((Date.now() - began) / 1000).toFixed(1)} s`)
  return result
}

function printReady(env: Env, watch: boolean): void {
  const network = env['NETWORK'] ?? 'development'
  console.log(`
  ${brand.name} is running${watch ? ' with hot reload' : ''}.

  Open     http://localhost:${env['PORT']}
  Network  ${network === 'development' ? 'development: local chain, test money' : network}
  Stop     Ctrl-C
`)
}

function requireFreePort(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} is in use. Choose another one: PORT=${port + 1} npm start`
      reject(new StartError(error.code === 'EADDRINUSE' ? taken : `Port ${port} cannot be used: ${error.message}`))
    })
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()))
  })
}
