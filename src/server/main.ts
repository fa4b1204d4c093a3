import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { inspect } from 'node:util'
import {
  ConfigError,
  readLocalSettings,
  readMarketSettings,
  readOperatorEnvironment,
  readOwnerUrl,
  readSettings,
} from './platform/config.ts'
import { redactUrls } from './platform/redact.ts'
import type { ProcessName } from './platform/settings.ts'
import { StartError } from './platform/start-error.ts'

/** Compiled code is cached between starts, which saves a third of a process's startup time. */
const CACHE = join(import.meta.dirname, '../../.cache/node')

type Running = { stop(): Promise<void> }

/**
 * A process that has not stopped after this time ends anyway. Every step of ours is a transaction. R28 allows ten
 * seconds; a busy machine may need the rest.
 */
const STOP_MS_MAX = 8_000

/** The server's commands. Each checks its settings first, and imports only what it needs. */
const commands: Record<string, (args: string[]) => Promise<Running | undefined>> = {
  /** Runs everything, with an embedded database and chain node unless settings name others. */
  up: async () => (await import('./processes/up.ts')).up(process.env as Record<string, string>, { watch: false }),
  dev: async () => (await import('./processes/up.ts')).up(process.env as Record<string, string>, { watch: true }),
  api: async () => {
    await check('api')
    return (await import('./processes/api.ts')).startApi(readSettings('api'))
  },
  worker: async () => {
    await check('worker')
    return (await import('./processes/worker.ts')).startWorker(readSettings('worker'))
  },
  seeds: async () => {
    await check('seeds')
    return (await import('./processes/seeds.ts')).startSeeds(readSettings('seeds'))
  },
  market: async () => {
    await check('market')
    return (await import('./processes/market.ts')).startMarket(readMarketSettings())
  },
  migrate: async () => {
    await check('migrate')
    await (await import('./platform/migrate.ts')).migrate(readOwnerUrl())
    return undefined
  },
  ops: async (args) => {
    const { dataDir, operatorKey } = readLocalSettings()
    const { runOps } = await import('./operators/ops.ts')
    const settings = () => readSettings('ops', readOperatorEnvironment(dataDir))
    process.exitCode = await runOps(args, { settings, dataDir, operatorKey })
    return undefined
  },
}

const ASK_AGAIN_MS = 5_000

/**
 * Throws if a setting is wrong, before anything starts; the error lists all mistakes. A database or a node that does not
 * answer yet does not stop the process. It is asked again, and a wrong answer ends the process then.
 */
async function check(name: ProcessName): Promise<void> {
  const { checkProcess, describeUnknown } = await import('./operators/start-check.ts')
  const { mistakes, unknown } = await checkProcess(name)
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  if (unknown.length === 0) return
  console.error(redactUrls(describeUnknown(unknown)))
  setTimeout(() => check(name).catch(crash), ASK_AGAIN_MS).unref()
}

async function main([name = '', ...args]: string[]): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command)
    throw new StartError(`Unknown command "${name}". Available commands: ${Object.keys(commands).join(', ')}.`)
  // A folder per command: processes that start together would overwrite each other's files, which is slow on ext4.
  enableCompileCache(join(CACHE, name))
  // Registered before anything starts. Exiting during startup is safe: child processes stop when their parent exits.
  let running: Running | undefined
  let isStopping = false
  const end = () => {
    if (!running || isStopping) process.exit(130)
    isStopping = true
    setTimeout(endUnfinished, STOP_MS_MAX)
    running.stop().then(
      () => process.exit(),
      () => process.exit(1),
    )
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  if (process.env['npm_lifecycle_event']) watchParent(end)
  running = await command(args)
  // Otherwise Node writes the cache when the process ends, which delays the end by seconds after a first start.
  flushCompileCache()
}

/** A database or a node that swallows everything can make a clean stop wait forever. */
function endUnfinished(): void {
  console.error(`\nNot stopped within ${STOP_MS_MAX / 1000} seconds. Unfinished work was rolled back.\n`)
  process.exit(1)
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
