import { z } from 'zod'
import { address } from '../../protocol/ids.ts'
import { isNetwork } from './network.ts'
import { findNetworkMistakes } from './network-rules.ts'

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
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  DATABASE_OWNER_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
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
  HOT_WALLET_KEY: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'a private key: 0x and 64 hex digits')
    .optional(),
  /** Signs receipts and snapshots. Default: the hot wallet's key. */
  RECEIPT_KEY: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'a private key: 0x and 64 hex digits')
    .optional(),
  FAUCET_KEY: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'a private key: 0x and 64 hex digits')
    .optional(),
  EXPLORER_URL: z.url().optional(),
  MARKET_URL: z.url().optional(),
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  COLOUR_REAL_MONEY: z.enum(['on', 'off']).optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

export type Config = ReturnType<typeof readConfig>

export class ConfigError extends Error {
  constructor(mistakes: string[]) {
    super(`Some settings are invalid:\n${mistakes.map((line) => `  - ${line}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/** Our environment with some variables changed, for a child process. */
export const environmentWith = (changes: Record<string, string>) => ({ ...process.env, ...changes })

/** Keeps only the variables that Wellplay reads. */
export function pickSettings(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name in settings.shape))
}

/** Reads all settings. The error lists every mistake, not only the first. */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = settings.safeParse(given)
  if (!result.success) throw new ConfigError(result.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`))
  const s = result.data
  const mistakes = findNetworkMistakes(s)
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return {
    network: s.NETWORK,
    port: s.PORT,
    host: s.HOST,
    metrics: s.METRICS_PORT === undefined ? undefined : { port: s.METRICS_PORT, host: s.METRICS_HOST },
    publicUrls: s.PUBLIC_URL ?? [`http://localhost:${s.PORT}`, `http://127.0.0.1:${s.PORT}`],
    trustedProxies: s.TRUSTED_PROXIES ?? [],
    databaseUrl: s.DATABASE_URL,
    databaseOwnerUrl: s.DATABASE_OWNER_URL,
    databaseConnections: s.DATABASE_CONNECTIONS,
    chain: {
      rpcUrl: s.RPC_URL[0],
      otherRpcUrls: s.RPC_URL.slice(1),
      chainId: s.CHAIN_ID,
      usdt: s.USDT_ADDRESS,
      jw: s.JW_ADDRESS,
      jwc: s.JWC_ADDRESS,
      pair: s.PAIR_ADDRESS,
      support: s.SUPPORT_ADDRESS,
      explorerUrl: s.EXPLORER_URL,
      hotWalletKey: s.HOT_WALLET_KEY as `0x${string}` | undefined,
      receiptKey: (s.RECEIPT_KEY ?? s.HOT_WALLET_KEY) as `0x${string}` | undefined,
      faucetKey: s.FAUCET_KEY as `0x${string}` | undefined,
    },
    publicRpcUrl: s.PUBLIC_RPC_URL ?? (s.NETWORK === 'development' ? s.RPC_URL[0] : undefined),
    marketUrl: s.MARKET_URL,
    rateLimits: s.RATE_LIMITS === 'on',
    colourRealMoney: s.COLOUR_REAL_MONEY ? s.COLOUR_REAL_MONEY === 'on' : s.NETWORK === 'development',
    logLevel: s.LOG_LEVEL,
  }
}
