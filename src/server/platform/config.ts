import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parseUsdt } from '../../protocol/money.ts'
import { channelsOf, findMissingSenders } from './channels.ts'
import { findMisspelt } from './misspelt.ts'
import { findNetworkMistakes, isPublicNetwork } from './network-rules.ts'
import { databaseUrls, localSettings, type ProcessName, secretSettings, settings, settingsOf } from './settings.ts'
import { StartError } from './start-error.ts'

export type Config = ReturnType<typeof readConfig>
/** The market has no database. */
export type MarketConfig = Pick<Config, 'port' | 'host' | 'metrics' | 'collectorUrl' | 'chain' | 'logLevel'>

export class ConfigError extends Error {
  readonly mistakes: string[]
  constructor(mistakes: string[]) {
    super(`Some settings are invalid:\n${mistakes.map((line) => `  - ${line}`).join('\n')}`)
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

export type Env = Record<string, string | undefined>

/** What any program needs from our environment. Settings and secrets are not part of it. */
const systemEnvironment = (env: Env): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && /^(PATH|HOME|LANG|TMPDIR|NODE_.*)$/.test(name) ? [[name, value]] : [],
    ),
  )

/** The environment of a child process that needs no settings. */
export const environmentWith = (changes: Record<string, string>) => ({ ...systemEnvironment(process.env), ...changes })

/** The environment of one of our processes: what any program needs, and the settings in its list. */
export const environmentOf = (name: ProcessName, given: Env): Record<string, string> => ({
  ...systemEnvironment(process.env),
  ...pickSettings(name, given),
})

/** Keeps only the settings that this process gets. */
export const pickSettings = (name: ProcessName, given: Env): Record<string, string> =>
  Object.fromEntries(
    settingsOf[name].flatMap((setting) => (given[setting] === undefined ? [] : [[setting, given[setting]]])),
  )

const findForeignSecrets = (name: ProcessName, env: Env): string[] =>
  secretSettings
    .filter((setting) => env[setting] && !settingsOf[name].includes(setting))
    .map((setting) => `${setting} is set, but ${name} must not have it: start it without this setting.`)

/** Payouts would wait forever without a word. */
const findMissingKey = (env: Env): string[] =>
  env['HOT_WALLET_KEY'] || (env['SIGNER_URL'] && env['HOT_WALLET_ADDRESS'])
    ? []
    : ['HOT_WALLET_KEY: missing. The worker signs payouts with it, or with SIGNER_URL and HOT_WALLET_ADDRESS.']

/** Without roots, payouts stop after a day and exits open after a week. */
const findMissingPublisher = (env: Env): string[] =>
  env['PUBLISHER_KEY'] || (env['SIGNER_URL'] && env['PUBLISHER_ADDRESS'])
    ? []
    : ['PUBLISHER_KEY: missing. The worker publishes roots with it, or with SIGNER_URL and PUBLISHER_ADDRESS.']

/** What only the rules of one process find. */
const findOwnMistakes = (name: ProcessName, env: Env): string[] => [
  ...findForeignSecrets(name, env),
  ...(name === 'worker' ? [...findMissingKey(env), ...findMissingPublisher(env), ...findMissingSenders(env)] : []),
  ...findMisspelt(env),
]

/** Checks each setting by itself, so that rules about several settings can use those that are valid. */
function check<Shape extends z.ZodObject>(shape: Shape, env: Env) {
  const values: Record<string, unknown> = {}
  const mistakes: string[] = []
  for (const [name, schema] of Object.entries(shape.shape)) {
    // An empty variable counts as not set.
    const result = z.safeParse(schema, env[name] || undefined)
    if (result.success) values[name] = result.data
    else if (!env[name]) mistakes.push(`${name}: missing`)
    else mistakes.push(...result.error.issues.map(({ path, message }) => `${[name, ...path].join('.')}: ${message}`))
  }
  return { values: values as Partial<z.output<Shape>>, mistakes }
}

/** Reads settings. The error lists every mistake, not only the first. */
function parse<Shape extends z.ZodObject>(
  shape: Shape,
  env: Env,
  findMore: (values: Partial<z.output<Shape>>) => string[] = () => [],
): z.output<Shape> {
  const { values, mistakes } = check(shape, env)
  const all = [...mistakes, ...findMore(values)]
  if (all.length > 0) throw new ConfigError(all)
  return values as z.output<Shape>
}

export const readSettings = (name: 'api' | 'worker' | 'seeds' | 'ops', env: Env = process.env): Config =>
  readConfig(env, findOwnMistakes(name, env))

/** The valid settings, without the others. A check that needs only some of them can still run. */
export function readValid(env: Env = process.env) {
  const { values } = check(settings.extend(databaseUrls.shape), env)
  const chain = chainOf({ RPC_URL: [], ...values } as unknown as Parameters<typeof chainOf>[0])
  return { values, chain: chain as Partial<Config['chain']> }
}

export function readMarketSettings(env: Env = process.env): MarketConfig {
  const s = parse(settings.omit({ DATABASE_URL: true }), env, (valid) => [
    ...findNetworkMistakes(valid),
    ...findOwnMistakes('market', env),
  ])
  const monitoring = { metrics: metricsOf(s), collectorUrl: s.OTEL_EXPORTER_OTLP_ENDPOINT, logLevel: s.LOG_LEVEL }
  return { port: s.PORT, host: s.HOST, chain: chainOf(s), ...monitoring }
}

export const readOwnerUrl = (env: Env = process.env): string =>
  parse(databaseUrls.pick({ DATABASE_OWNER_URL: true }), env, () => findOwnMistakes('migrate', env)).DATABASE_OWNER_URL

/** What `up` and the operator's commands read on their own machine. */
export function readLocalSettings(env: Env = process.env) {
  const s = parse(localSettings, env, () => findMisspelt(env))
  return { dataDir: s.DATA_DIR, operatorKey: s.OPERATOR_KEY, postgresBin: s.POSTGRES_BIN }
}

/**
 * Checks everything that `up` and the processes it starts will read, before anything starts. `databases` are the logins
 * of a database that it does not run itself; undefined if no setting names one.
 */
export function readUpSettings(env: Env) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value))
  const own = findDatabaseUrls(given)
  const assumed = { ...placeholders(given), ...given, DATABASE_URL: 'postgres://127.0.0.1/wellplay' }
  const s = parse(settings.extend(localSettings.shape), assumed, (valid) => [
    ...findNetworkMistakes(valid),
    ...findMissingNode(given),
    ...(hasOwnChain(given) ? [] : [...findMissingKey(given), ...findMissingPublisher(given)]),
    ...own.mistakes,
    ...findMisspelt(given),
  ])
  return { port: s.PORT, dataDir: s.DATA_DIR, databases: own.logins }
}

/** Whether `up` runs the chain itself, with keys that only exist there. */
const hasOwnChain = (env: Env): boolean => !env['RPC_URL'] && !isPublicNetwork(env['NETWORK'] ?? '')

/** Stand-ins for what the embedded parts provide, so that only real mistakes are reported. */
function placeholders(env: Env): Env {
  if (env['RPC_URL']) return {}
  const node = { RPC_URL: 'http://127.0.0.1' }
  if (isPublicNetwork(env['NETWORK'] ?? '')) return node
  const address = `0x${'0'.repeat(40)}`
  const tokens = { USDT_ADDRESS: address, JW_ADDRESS: address, JWC_ADDRESS: address, PAIR_ADDRESS: address }
  return { ...node, ...tokens, CHAIN_ID: '1', VAULT_ADDRESS: address }
}

/** The embedded node is a development chain. A public network needs a node of its own. */
const findMissingNode = (env: Env): string[] =>
  isPublicNetwork(env['NETWORK'] ?? '') && !env['RPC_URL']
    ? [`NETWORK=${env['NETWORK']} needs RPC_URL. Only the development network has an embedded chain node.`]
    : []

function findDatabaseUrls(env: Env) {
  const names = Object.keys(databaseUrls.shape)
  const single = env['DATABASE_URL']
    ? [`DATABASE_URL: each process has its own login, so set ${names.join(', ')} instead`]
    : []
  const listen = env['DATABASE_LISTEN_URL']
    ? ['DATABASE_LISTEN_URL: npm start uses no connection pooler. Start the processes one by one to use one.']
    : []
  if (!names.some((name) => env[name])) return { mistakes: [...single, ...listen], logins: undefined }
  const { values, mistakes } = check(databaseUrls, env)
  const s = values as z.output<typeof databaseUrls>
  return {
    mistakes: [...single, ...listen, ...mistakes],
    logins: {
      ownerUrl: s.DATABASE_OWNER_URL,
      urls: {
        api: s.DATABASE_API_URL,
        worker: s.DATABASE_WORKER_URL,
        seeds: s.DATABASE_SEEDS_URL,
        operator: s.DATABASE_OPERATOR_URL,
      },
    },
  }
}

/** The settings of the instance that `up` runs, for the operator's commands on the same machine. */
export const SETTINGS_FILE = 'settings.json'
/** Holds the owner's URL of the instance that `up` runs. Only the backup reads it. */
export const OWNER_FILE = 'owner.json'

/** The owner's URL, for a backup: from the environment, else of the instance that `up` runs on this machine. */
export function findOwnerUrl(dataDir: string, env: Env = process.env): string | undefined {
  const path = join(dataDir, OWNER_FILE)
  if (env['DATABASE_OWNER_URL'] || !existsSync(path)) return env['DATABASE_OWNER_URL']
  return readOwnerUrl(JSON.parse(readFileSync(path, 'utf8')))
}

/** The operator's settings: those of the environment, else of the instance that `up` runs on this machine. */
export function readOperatorEnvironment(dataDir: string, env: Env = process.env): Env {
  if (env['DATABASE_URL']) return env
  const path = join(dataDir, SETTINGS_FILE)
  if (!existsSync(path)) throw new StartError('Wellplay is not running here. Start it first: npm start')
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** Reads the settings without asking which process they are for. `mistakes` are reported with those found here. */
export function readConfig(env: Env = process.env, mistakes: string[] = []) {
  const s = parse(settings, env, (valid) => [...findNetworkMistakes(valid), ...mistakes])
  return {
    network: s.NETWORK,
    port: s.PORT,
    host: s.HOST,
    metrics: metricsOf(s),
    collectorUrl: s.OTEL_EXPORTER_OTLP_ENDPOINT,
    drainMs: s.DRAIN_SECONDS * 1000,
    publicUrls: s.PUBLIC_URL ?? [`http://localhost:${s.PORT}`, `http://127.0.0.1:${s.PORT}`],
    trustedProxies: s.TRUSTED_PROXIES ?? [],
    databaseUrl: s.DATABASE_URL,
    listenUrl: s.DATABASE_LISTEN_URL ?? s.DATABASE_URL,
    isPooled: s.DATABASE_LISTEN_URL !== undefined,
    databaseConnections: s.DATABASE_CONNECTIONS,
    chain: chainOf(s),
    publicRpcUrl: s.PUBLIC_RPC_URL ?? (s.NETWORK === 'development' ? s.RPC_URL[0] : undefined),
    marketUrl: s.MARKET_URL,
    rootEveryMinutes: s.ROOT_EVERY_MINUTES,
    depositMin: parseUsdt(String(s.DEPOSIT_MIN_USDT)),
    mirrors: s.MIRRORS ?? [],
    ...channelsOf(s),
    minimumAge: s.MINIMUM_AGE,
    blockedCountries: s.BLOCKED_COUNTRIES ?? [],
    countryHeader: s.COUNTRY_HEADER,
    walletConnectProjectId: s.WALLETCONNECT_PROJECT_ID,
    rateLimits: s.RATE_LIMITS === 'on',
    colourRealMoney: s.COLOUR_REAL_MONEY ? s.COLOUR_REAL_MONEY === 'on' : s.NETWORK === 'development',
    logLevel: s.LOG_LEVEL,
  }
}

const metricsOf = (s: Pick<z.output<typeof settings>, 'METRICS_PORT' | 'METRICS_HOST'>) =>
  s.METRICS_PORT === undefined ? undefined : { port: s.METRICS_PORT, host: s.METRICS_HOST }

const chainOf = (s: Omit<z.output<typeof settings>, 'DATABASE_URL'>) => ({
  rpcUrl: s.RPC_URL[0],
  otherRpcUrls: s.RPC_URL.slice(1),
  chainId: s.CHAIN_ID,
  usdt: s.USDT_ADDRESS,
  jw: s.JW_ADDRESS,
  jwc: s.JWC_ADDRESS,
  pair: s.PAIR_ADDRESS,
  vault: s.VAULT_ADDRESS,
  explorerUrl: s.EXPLORER_URL,
  hotWallet: s.HOT_WALLET_ADDRESS,
  hotWalletKey: s.HOT_WALLET_KEY as `0x${string}` | undefined,
  publisher: s.PUBLISHER_ADDRESS,
  publisherKey: s.PUBLISHER_KEY as `0x${string}` | undefined,
  signerUrl: s.SIGNER_URL,
  receiptKey: s.RECEIPT_KEY as `0x${string}` | undefined,
  faucet: s.FAUCET_ADDRESS,
  faucetKey: s.FAUCET_KEY as `0x${string}` | undefined,
})
