import { existsSync, readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { ConfigError, readMarketSettings, readOwnerUrl, readSettings } from './platform/config.ts'
import { redactUrls } from './platform/redact.ts'
import { StartError } from './platform/start-error.ts'

// Caches compiled code between starts, which saves a third of a process's startup time.
enableCompileCache(join(import.meta.dirname, '../../.cache/node'))

type Running = { stop(): Promise<void> }

/** The server's commands. Each imports only what it needs. */
const commands: Record<string, (args: string[]) => Promise<Running | undefined>> = {
  /** Runs everything, with an embedded database and chain node unless settings name others. */
  up: async () => (await import('./processes/up.ts')).up(process.env as Record<string, string>, { watch: false }),
  dev: async () => (await import('./processes/up.ts')).up(process.env as Record<string, string>, { watch: true }),
  api: async () => (await import('./processes/api.ts')).startApi(readSettings('api')),
  worker: async () => (await import('./processes/worker.ts')).startWorker(readSettings('worker')),
  seeds: async () => (await import('./processes/seeds.ts')).startSeeds(readSettings('seeds')),
  market: async () => (await import('./processes/market.ts')).startMarket(readMarketSettings()),
  migrate: async () => {
    await (await import('./platform/migrate.ts')).migrate(readOwnerUrl())
    return undefined
  },
  ops: async (args) => {
    const { runOps } = await import('./operators/ops.ts')
    const operatorKey = process.env['OPERATOR_KEY']
    process.exitCode = await runOps(args, { settings: readRunningSettings, dataDir: dataDir(), operatorKey })
    return undefined
  },
}

const dataDir = () => process.env['DATA_DIR'] ?? join(import.meta.dirname, '../../.data')

/** Settings from the environment, else those of the instance that `up` runs on this machine. */
function readRunningSettings() {
  if (process.env['DATABASE_URL']) return readSettings('ops')
  const path = join(dataDir(), 'settings.json')
  if (!existsSync(path)) throw new StartError('Wellplay is not running here. Start it first: npm start')
  return readSettings('ops', JSON.parse(readFileSync(path, 'utf8')))
}

async function main([name = '', ...args]: string[]): Promise<void> {
  const command = commands[name]
  if (!command)
    throw new StartError(`Unknown command "${name}". Available commands: ${Object.keys(commands).join(', ')}.`)
  // Registered before anything starts. Exiting during startup is safe: child processes stop when their parent exits.
  let running: Running | undefined
  let isStopping = false
  const end = () => {
    if (!running || isStopping) process.exit(130)
    isStopping = true
    running.stop().then(
      () => process.exit(),
      () => process.exit(1),
    )
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  if (process.env['npm_lifecycle_event']) watchParent(end)
  running = await command(args)
}

/** npm cannot forward SIGKILL, so this process stops when its parent is gone. */
function watchParent(end: () => void): void {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    end()
  }, 1_000).unref()
}

/** Prints why this process ends. The output goes to a log file, so URLs are redacted as in the log. */
function crash(error: unknown): void {
  const isOurs = error instanceof StartError || error instanceof ConfigError
  console.error(redactUrls(isOurs ? `\n${error.message}\n` : inspect(error)))
  process.exit(1)
}

process.on('uncaughtException', crash)
main(process.argv.slice(2)).catch(crash)
