import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { brand } from '../protocol/brand.ts'
import { fundDevelopment } from './development.ts'
import { startAnvil } from './embedded/anvil.ts'
import { developmentChain } from './embedded/contracts.ts'
import { freePort, startPostgres } from './embedded/postgres.ts'
import { readConfig } from './platform/config.ts'
import { migrate } from './platform/migrate.ts'
import { StartError } from './platform/start-error.ts'
import { startProcess } from './processes.ts'
import { buildWeb, startWebDevServer } from './web-build.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The settings of the running instance, for the operator's command line on the same machine (see main.ts). */
const SETTINGS_FILE = 'settings.json'
type Part = { stop(): Promise<void> }
type Env = Record<string, string>

/** The whole product in one command. Parts that a setting names are used; the others are started and stopped here. */
export async function up(given: Env, { watch }: { watch: boolean }): Promise<Part> {
  const dataDir = given['DATA_DIR'] ?? join(ROOT, '.data')
  const port = Number(given['PORT'] ?? 3000)
  await requireFreePort(port)
  const parts: Part[] = [takeLock(dataDir)]
  const stop = async () => {
    for (const part of parts.splice(0).reverse()) await part.stop().catch(() => {})
  }
  try {
    const env = await startParts(given, dataDir, port, watch, parts)
    const config = readConfig(env)
    if (config.network === 'development') await step('Funding the pools with test money', () => fundDevelopment(config))
    writeFileSync(join(dataDir, SETTINGS_FILE), JSON.stringify(env), { mode: 0o600 })
    printReady(env, watch)
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

async function startParts(given: Env, dataDir: string, port: number, watch: boolean, parts: Part[]): Promise<Env> {
  const [database, chain] = await Promise.all([
    step('Database', () => startDatabase(given, dataDir, parts)),
    step('Chain', () => startChain(given, dataDir, parts)),
    watch ? undefined : step('Web app', () => buildWeb(ROOT)),
  ])
  const marketPort = await freePort()
  const env: Env = {
    ...given,
    ...database,
    ...chain,
    PORT: String(port),
    MARKET_URL: given['MARKET_URL'] ?? `http://127.0.0.1:${marketPort}`,
  }
  readConfig(env)
  await step('Tables', () => migrate(env['DATABASE_OWNER_URL'] ?? env['DATABASE_URL'] ?? ''))
  const logs = join(dataDir, 'logs')
  await step('Services', async () => {
    parts.push(startProcess('worker', env, logs))
    if (!given['MARKET_URL']) parts.push(startProcess('market', { ...env, PORT: String(marketPort) }, logs))
    const apiPort = watch ? await freePort() : port
    const publicUrls = `http://localhost:${port},http://127.0.0.1:${port}`
    const api = startProcess(
      'api',
      { ...env, PORT: String(apiPort), PUBLIC_URL: given['PUBLIC_URL'] ?? publicUrls },
      logs,
    )
    parts.push(api)
    await api.waitUntilHealthy(`http://127.0.0.1:${apiPort}/healthz`)
    if (watch) parts.push(await startWebDevServer(ROOT, env, port, apiPort))
  })
  return env
}

async function startDatabase(given: Env, dataDir: string, parts: Part[]): Promise<Env> {
  if (given['DATABASE_URL']) return {}
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres') })
  parts.push(postgres)
  return { DATABASE_URL: postgres.appUrl, DATABASE_OWNER_URL: postgres.ownerUrl }
}

async function startChain(given: Env, dataDir: string, parts: Part[]): Promise<Env> {
  if (given['RPC_URL']) return {}
  const anvil = await startAnvil({ dataDir: join(dataDir, 'chain'), blockTimeSeconds: 1 })
  parts.push(anvil)
  const chain = await developmentChain(anvil.rpcUrl)
  return {
    RPC_URL: anvil.rpcUrl,
    CHAIN_ID: String(chain.chainId),
    USDT_ADDRESS: chain.tokens.usdt.address,
    JW_ADDRESS: chain.tokens.jw.address,
    JWC_ADDRESS: chain.tokens.jwc.address,
    PAIR_ADDRESS: chain.pair,
    SUPPORT_ADDRESS: chain.supportAddress,
    HOT_WALLET_KEY: chain.hotWalletKey,
    FAUCET_KEY: chain.faucetKey,
  }
}

async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const began = Date.now()
  const result = await work()
  console.log(`  ✓ ${name.padEnd(36)} ${((Date.now() - began) / 1000).toFixed(1)} s`)
  return result
}

function printReady(env: Env, watch: boolean): void {
  const network = env['NETWORK'] ?? 'development'
  console.log(`
  ${brand.name} is running${watch ? ' with hot reload' : ''}.

  Open     http://localhost:${env['PORT']}
  Network  ${network === 'development' ? 'development: a chain of its own, test money' : network}
  Stop     Ctrl-C
`)
}

function requireFreePort(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} is taken. Choose another one: PORT=${port + 1} npm start`
      reject(new StartError(error.code === 'EADDRINUSE' ? taken : `Port ${port} cannot be used: ${error.message}`))
    })
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()))
  })
}

/** One instance to a data folder. A lock left behind by a crash names a process that is gone, and counts for nothing. */
function takeLock(dataDir: string): Part {
  mkdirSync(dataDir, { recursive: true })
  const path = join(dataDir, 'running.pid')
  const holder = Number(readIfThere(path))
  if (holder && isAlive(holder)) throw new StartError(`Wellplay is already running on this data (process ${holder}).`)
  writeFileSync(path, String(process.pid))
  return { stop: async () => rmSync(path, { force: true }) }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
