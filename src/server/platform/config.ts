import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { address } from '../../protocol/ids.ts'
import { isNetwork } from './network.ts'
import { findNetworkMistakes } from './network-rules.ts'
import { StartError } from './start-error.ts'

const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ })
const privateKey = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'a private key: 0x and 64 hex digits')

/** Every setting Wellplay reads, validated at start. `npm start` sets those of the embedded parts. */
const settings = z.object({
  NETWORK: z.enum(['development', 'bsc-testnet', 'bsc']).default('development'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  /** Where the API serves `/metrics` and the details of `/readyz`. Without a port it serves neither. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** Public addresses of the app, comma-separated. Sign-in messages must name one of them. */
  PUBLIC_URL: z
    .string()
    .transform((list) => list.split(',').map((url) => url.trim()))
    .pipe(z.array(z.url()))
    .optional(),
  /** Addresses or CIDR ranges of the proxies in front of the API, comma-separated. Only they may name the caller. */
  TRUSTED_PROXIES: z
    .string()
    .transform((list) => list.split(',').map((network) => network.trim()))
    .pipe(z.array(z.string().refine(isNetwork, 'an IP address or a CIDR range such as 10.0.0.0/8')))
    .optional(),
  /** The process's own login, a member of one role: wellplay_api, _worker, _seeds or _operator. */
  DATABASE_URL: databaseUrl,
  /** For changes and jobs. The API opens half as many again for reads, and a quarter for public calls. */
  DATABASE_CONNECTIONS: z.coerce.number().int().min(2).max(200).default(16),
  /** Chain nodes, comma-separated. The first one is used; the others are asked when its answer contradicts our records. */
  RPC_URL: z
    .string()
    .transform((list) => list.split(',').map((url) => url.trim()))
    .pipe(z.tuple([z.url({ protocol: /^https?$/ })], z.url({ protocol: /^https?$/ }))),
  /**
   * The node behind `/rpc/`, which browsers use. It must not be the worker's, so that a flood of calls cannot stop
   * deposits and payouts. Only the development network has one node for both.
   */
  PUBLIC_RPC_URL: z.url({ protocol: /^https?$/ }).optional(),
  CHAIN_ID: z.coerce.number().int().positive(),
  USDT_ADDRESS: address,
  JW_ADDRESS: address,
  JWC_ADDRESS: address,
  PAIR_ADDRESS: address,
  SUPPORT_ADDRESS: address,
  /** Signs payouts. */
  HOT_WALLET_KEY: privateKey.optional(),
  /** The address of that key, for the processes that do not have it. */
  HOT_WALLET_ADDRESS: address.optional(),
  /** Signs receipts and snapshots. */
  RECEIPT_KEY: privateKey.optional(),
  /** Gives test money away. Only on the development network. */
  FAUCET_KEY: privateKey.optional(),
  FAUCET_ADDRESS: address.optional(),
  EXPLORER_URL: z.url().optional(),
  MARKET_URL: z.url().optional(),
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  COLOUR_REAL_MONEY: z.enum(['on', 'off']).optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

/** What `up` needs to start everything on a database that it does not run itself. */
const databaseUrls = z.object({
  DATABASE_OWNER_URL: databaseUrl,
  DATABASE_API_URL: databaseUrl,
  DATABASE_WORKER_URL: databaseUrl,
  DATABASE_SEEDS_URL: databaseUrl,
  DATABASE_OPERATOR_URL: databaseUrl,
})

type SettingName = keyof typeof settings.shape | keyof typeof databaseUrls.shape
export type ProcessName = 'api' | 'worker' | 'seeds' | 'market' | 'migrate' | 'ops'

const keys = ['HOT_WALLET_KEY', 'RECEIPT_KEY', 'FAUCET_KEY'] as const
const secretSettings: readonly SettingName[] = [
  'DATABASE_URL',
  ...(Object.keys(databaseUrls.shape) as SettingName[]),
  ...keys,
]
const openSettings = (Object.keys(settings.shape) as SettingName[]).filter((name) => !secretSettings.includes(name))
const chainSettings = openSettings.filter(
  (name) => /_ADDRESS$/.test(name) || ['NETWORK', 'LOG_LEVEL', 'RPC_URL', 'CHAIN_ID'].includes(name),
)

/** The settings that each process gets (R27). It refuses to start with a secret that is not in its list. */
const settingsOf: Record<ProcessName, readonly SettingName[]> = {
  api: [...openSettings, 'DATABASE_URL', 'RECEIPT_KEY', 'FAUCET_KEY'],
  worker: [
    ...chainSettings,
    'DATABASE_URL',
    'DATABASE_CONNECTIONS',
    'COLOUR_REAL_MONEY',
    'HOT_WALLET_KEY',
    'RECEIPT_KEY',
  ],
  seeds: [...chainSettings, 'DATABASE_URL', 'DATABASE_CONNECTIONS', 'COLOUR_REAL_MONEY'],
  market: [...chainSettings, 'PORT', 'HOST'],
  migrate: ['DATABASE_OWNER_URL'],
  ops: [...openSettings, 'DATABASE_URL'],
}

export type Config = ReturnType<typeof readConfig>
/** The market has no database. */
export type MarketConfig = Pick<Config, 'port' | 'host' | 'chain' | 'logLevel'>

export class ConfigError extends Error {
  constructor(mistakes: string[]) {
    super(`Some settings are invalid:\n${mistakes.map((line) => `  - ${line}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

type Env = Record<string, string | undefined>

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

function refuseForeignSecrets(name: ProcessName, env: Env): void {
  const foreign = secretSettings.find((setting) => env[setting] && !settingsOf[name].includes(setting))
  if (foreign) throw new StartError(`${foreign} is set, but ${name} must not have it: start it without this setting.`)
}

function parse<Shape extends z.ZodObject>(shape: Shape, env: Env): z.output<Shape> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = shape.safeParse(given)
  if (!result.success) throw new ConfigError(result.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`))
  return result.data
}

function refuseNetworkMistakes(given: Parameters<typeof findNetworkMistakes>[0]): void {
  const mistakes = findNetworkMistakes(given)
  if (mistakes.length > 0) throw new ConfigError(mistakes)
}

/** Reads the settings of a process. The error lists every mistake, not only the first. */
export function readSettings(name: 'api' | 'worker' | 'seeds' | 'ops', env: Env = process.env): Config {
  refuseForeignSecrets(name, env)
  return readConfig(env)
}

export function readMarketSettings(env: Env = process.env): MarketConfig {
  refuseForeignSecrets('market', env)
  const s = parse(settings.omit({ DATABASE_URL: true }), env)
  refuseNetworkMistakes(s)
  return { port: s.PORT, host: s.HOST, chain: chainOf(s), logLevel: s.LOG_LEVEL }
}

export function readOwnerUrl(env: Env = process.env): string {
  refuseForeignSecrets('migrate', env)
  return parse(databaseUrls.pick({ DATABASE_OWNER_URL: true }), env).DATABASE_OWNER_URL
}

/** The logins of a database that `up` does not run itself; undefined if no setting names one. */
export function findDatabaseUrls(env: Env) {
  const names = Object.keys(databaseUrls.shape)
  if (env['DATABASE_URL'])
    throw new ConfigError([`DATABASE_URL: each process has its own login, so set ${names.join(', ')} instead`])
  if (!names.some((name) => env[name])) return undefined
  const s = parse(databaseUrls, env)
  return {
    ownerUrl: s.DATABASE_OWNER_URL,
    urls: {
      api: s.DATABASE_API_URL,
      worker: s.DATABASE_WORKER_URL,
      seeds: s.DATABASE_SEEDS_URL,
      operator: s.DATABASE_OPERATOR_URL,
    },
  }
}

/** Holds the owner's URL of the instance that `up` runs. Only the backup reads it. */
export const OWNER_FILE = 'owner.json'

/** The owner's URL, for a backup: from the environment, else of the instance that `up` runs on this machine. */
export function findOwnerUrl(dataDir: string, env: Env = process.env): string | undefined {
  const path = join(dataDir, OWNER_FILE)
  if (env['DATABASE_OWNER_URL'] || !existsSync(path)) return env['DATABASE_OWNER_URL']
  return readOwnerUrl(JSON.parse(readFileSync(path, 'utf8')))
}

/** Reads the settings without asking which process they are for. */
export function readConfig(env: Env = process.env) {
  const s = parse(settings, env)
  refuseNetworkMistakes(s)
  return {
    network: s.NETWORK,
    port: s.PORT,
    host: s.HOST,
    metrics: s.METRICS_PORT === undefined ? undefined : { port: s.METRICS_PORT, host: s.METRICS_HOST },
    publicUrls: s.PUBLIC_URL ?? [`http://localhost:${s.PORT}`, `http://127.0.0.1:${s.PORT}`],
    trustedProxies: s.TRUSTED_PROXIES ?? [],
    databaseUrl: s.DATABASE_URL,
    databaseConnections: s.DATABASE_CONNECTIONS,
    chain: chainOf(s),
    publicRpcUrl: s.PUBLIC_RPC_URL ?? (s.NETWORK === 'development' ? s.RPC_URL[0] : undefined),
    marketUrl: s.MARKET_URL,
    rateLimits: s.RATE_LIMITS === 'on',
    colourRealMoney: s.COLOUR_REAL_MONEY ? s.COLOUR_REAL_MONEY === 'on' : s.NETWORK === 'development',
    logLevel: s.LOG_LEVEL,
  }
}

const chainOf = (s: Omit<z.output<typeof settings>, 'DATABASE_URL'>) => ({
  rpcUrl: s.RPC_URL[0],
  otherRpcUrls: s.RPC_URL.slice(1),
  chainId: s.CHAIN_ID,
  usdt: s.USDT_ADDRESS,
  jw: s.JW_ADDRESS,
  jwc: s.JWC_ADDRESS,
  pair: s.PAIR_ADDRESS,
  support: s.SUPPORT_ADDRESS,
  explorerUrl: s.EXPLORER_URL,
  hotWallet: s.HOT_WALLET_ADDRESS,
  hotWalletKey: s.HOT_WALLET_KEY as `0x${string}` | undefined,
  receiptKey: s.RECEIPT_KEY as `0x${string}` | undefined,
  faucet: s.FAUCET_ADDRESS,
  faucetKey: s.FAUCET_KEY as `0x${string}` | undefined,
})
