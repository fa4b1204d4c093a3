import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { isCountry } from '../../protocol/countries.ts'
import { address } from '../../protocol/ids.ts'
import { hostUrls } from './database-hosts.ts'
import { isNetwork } from './network.ts'

/** With several hosts, as in postgres://user:password@db1:5432,db2:5432/wellplay, the one that accepts writes is used. */
const databaseUrl = z.string().refine((url) => hostUrls(url).length > 0, 'Invalid URL')
const privateKey = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'a private key: 0x and 64 hex digits')

/** The push services of Chrome, Firefox, Safari and Edge. */
const PUSH_SERVICES = 'fcm.googleapis.com,updates.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com'
const pushService = z
  .string()
  .regex(
    /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$|^https?:\/\/[\w.-]+(:\d+)?$/,
    'a host such as push.example.com or *.example.com',
  )

/** The settings of the processes. `npm start` sets those of the embedded parts. */
export const settings = z.object({
  NETWORK: z.enum(['development', 'bsc-testnet', 'bsc']).default('development'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  /** The private port of a process: `/healthz`, `/readyz` with reasons, and `/metrics`. Without it there is none. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** The OpenTelemetry collector that gets the traces, such as http://127.0.0.1:4318. Without it there are none. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** How long the API is not ready but still answers before it stops, so that a load balancer notices first. */
  DRAIN_SECONDS: z.coerce.number().min(0).max(4).default(0),
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
  /**
   * The same login at the database server itself. Needed if DATABASE_URL leads to a connection pooler in transaction mode,
   * such as PgBouncer, where nothing can listen for events or hold a lock from one transaction to the next.
   */
  DATABASE_LISTEN_URL: databaseUrl.optional(),
  /** For changes and jobs. The API opens half as many again for reads, and a quarter for public calls. */
  DATABASE_CONNECTIONS: z.coerce.number().int().min(2).max(200).default(16),
  /** Chain nodes, comma-separated. What a majority of them agrees on is believed (chain/majority.ts): use one, or three. */
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
  /** The vault: users pay to it, and it pays them. The specification calls it `support`. */
  VAULT_ADDRESS: address,
  /** Signs payouts: the vault's payer. */
  HOT_WALLET_KEY: privateKey.optional(),
  /** The address of that key, for the processes that do not have it. */
  HOT_WALLET_ADDRESS: address.optional(),
  /** Signs the roots of all balances: the vault's publisher. */
  PUBLISHER_KEY: privateKey.optional(),
  PUBLISHER_ADDRESS: address.optional(),
  /**
   * A remote signer (JSON-RPC, eth_signTransaction). It signs for the payer and the publisher when their keys are not in
   * the environment; their addresses must be set. Whoever reaches it can sign, so it is a secret.
   */
  SIGNER_URL: z.url({ protocol: /^https?$/ }).optional(),
  /**
   * How often the worker publishes the root of all balances in the vault. Without one for two hours deposit addresses are
   * not swept, and without one for 24 hours payouts stop.
   */
  ROOT_EVERY_MINUTES: z.coerce.number().int().min(1).max(360).default(60),
  /** What a personal deposit address must hold, in whole USDT, before it is worth the gas to move it to the vault. */
  DEPOSIT_MIN_USDT: z.coerce.number().int().min(1).max(1_000).default(1),
  /** Where others keep copies of the public trees (`npm run mirror`), comma-separated. The trust page lists them. */
  MIRRORS: z
    .string()
    .transform((list) => list.split(',').map((url) => url.trim()))
    .pipe(z.array(z.url({ protocol: /^https?$/ })))
    .optional(),
  /** Web push (VAPID): `npx web-push generate-vapid-keys` makes the pair. Without it there is no push. */
  PUSH_PUBLIC_KEY: z
    .string()
    .regex(/^[\w-]{87}$/, 'a public VAPID key')
    .optional(),
  PUSH_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'a private VAPID key')
    .optional(),
  /** Whom a push service can write to about our messages: mailto:… or https://… */
  PUSH_CONTACT: z.url({ protocol: /^(mailto|https)$/ }).optional(),
  /** Hosts that pushes may go to, comma-separated. Browsers name them, so others must not be called. */
  PUSH_SERVICES: z
    .string()
    .default(PUSH_SERVICES)
    .transform((list) => list.split(',').map((host) => host.trim()))
    .pipe(z.array(pushService)),
  /** The mail server, such as smtps://user:password@smtp.example.com. Without it there are no e-mails. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** The sender of our e-mails. The API offers e-mail if this is set. */
  MAIL_FROM: z.email().optional(),
  /** The name of the operator's Telegram bot, without @. The API offers Telegram if this is set. */
  TELEGRAM_BOT: z
    .string()
    .regex(/^\w{5,32}$/, 'the name of a bot, such as wellplay_bot')
    .optional(),
  TELEGRAM_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]{20,}$/, 'the token of a bot')
    .optional(),
  /** Telegram's Bot API, or a server of the operator that speaks it. */
  TELEGRAM_URL: z.url({ protocol: /^https?$/ }).default('https://api.telegram.org'),
  /**
   * The operator's project at WalletConnect, which browsers send to its relay; it is public. With it, users can connect a
   * wallet on another device, and pages may connect to that relay. Without it, pages connect to no other host.
   */
  WALLETCONNECT_PROJECT_ID: z
    .string()
    .regex(/^[0-9a-f]{32}$/, '32 hex digits, the id of a project at WalletConnect')
    .optional(),
  /** Signs receipts and snapshots. */
  RECEIPT_KEY: privateKey.optional(),
  /** Gives test money away. Only on the development network. */
  FAUCET_KEY: privateKey.optional(),
  FAUCET_ADDRESS: address.optional(),
  EXPLORER_URL: z.url().optional(),
  MARKET_URL: z.url().optional(),
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  /**
   * Users must declare that they are this old, and that they live in no blocked country, before they bet or buy a plan.
   * Without both settings the web app still asks for 18, but the API refuses no call.
   */
  MINIMUM_AGE: z.coerce.number().int().min(13).max(99).optional(),
  /** ISO 3166 codes, comma-separated, such as US,KP. */
  BLOCKED_COUNTRIES: z
    .string()
    .transform((list) => list.split(',').map((code) => code.trim()))
    .pipe(z.array(z.string().refine(isCountry, 'ISO 3166 codes of two letters, such as US,KP')))
    .optional(),
  /** The header in which the proxy names the caller's country. The proxy must overwrite what a caller sends in it. */
  COUNTRY_HEADER: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'the name of a header, such as CF-IPCountry')
    .transform((name) => name.toLowerCase())
    .optional(),
  COLOUR_REAL_MONEY: z.enum(['on', 'off']).optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

/** What `up` needs to start everything on a database that it does not run itself. Not through a connection pooler. */
export const databaseUrls = z.object({
  DATABASE_OWNER_URL: databaseUrl,
  DATABASE_API_URL: databaseUrl,
  DATABASE_WORKER_URL: databaseUrl,
  DATABASE_SEEDS_URL: databaseUrl,
  DATABASE_OPERATOR_URL: databaseUrl,
})

/** What `up` and the operator's commands read on their own machine. No process gets them. */
export const localSettings = z.object({
  /** Where the embedded database and chain, logs and the settings of the running instance are kept. */
  DATA_DIR: z
    .string()
    .default(join(import.meta.dirname, '../../../.data'))
    .transform((path) => resolve(path)),
  /** The programs of a PostgreSQL to run instead of the embedded one, version 15 or newer. */
  POSTGRES_BIN: z
    .string()
    .refine((folder) => existsSync(join(folder, 'postgres')), 'a folder with the programs of PostgreSQL')
    .optional(),
  /** The operator's private key, unless a command names a key file. */
  OPERATOR_KEY: z.string().optional(),
})

type SettingName = keyof typeof settings.shape | keyof typeof databaseUrls.shape
export type ProcessName = 'api' | 'worker' | 'seeds' | 'market' | 'migrate' | 'ops'

const keys = [
  ...(['HOT_WALLET_KEY', 'PUBLISHER_KEY', 'SIGNER_URL', 'RECEIPT_KEY', 'FAUCET_KEY'] as const),
  ...(['PUSH_PRIVATE_KEY', 'SMTP_URL', 'TELEGRAM_TOKEN'] as const),
]
export const secretSettings: readonly SettingName[] = [
  'DATABASE_URL',
  'DATABASE_LISTEN_URL',
  ...(Object.keys(databaseUrls.shape) as SettingName[]),
  ...keys,
]
const openSettings = (Object.keys(settings.shape) as SettingName[]).filter((name) => !secretSettings.includes(name))
const chainSettings = openSettings.filter(
  (name) => /_ADDRESS$/.test(name) || ['NETWORK', 'RPC_URL', 'CHAIN_ID'].includes(name),
)
/** How a process can be watched. */
const monitoringSettings = ['LOG_LEVEL', 'METRICS_PORT', 'METRICS_HOST', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const

const ownLogin = ['DATABASE_URL', 'DATABASE_LISTEN_URL'] as const

/** The settings that each process gets (R27). It refuses to start with a secret that is not in its list. */
export const settingsOf: Record<ProcessName, readonly SettingName[]> = {
  api: [...openSettings, ...ownLogin, 'RECEIPT_KEY', 'FAUCET_KEY'],
  worker: [
    ...chainSettings,
    ...monitoringSettings,
    ...ownLogin,
    'DATABASE_CONNECTIONS',
    'COLOUR_REAL_MONEY',
    'ROOT_EVERY_MINUTES',
    'DEPOSIT_MIN_USDT',
    'HOT_WALLET_KEY',
    'PUBLISHER_KEY',
    'SIGNER_URL',
    'RECEIPT_KEY',
    ...(['PUBLIC_URL', 'PUSH_PUBLIC_KEY', 'PUSH_PRIVATE_KEY', 'PUSH_CONTACT', 'PUSH_SERVICES'] as const),
    ...(['SMTP_URL', 'MAIL_FROM', 'TELEGRAM_BOT', 'TELEGRAM_TOKEN', 'TELEGRAM_URL'] as const),
  ],
  seeds: [...chainSettings, ...monitoringSettings, ...ownLogin, 'DATABASE_CONNECTIONS', 'COLOUR_REAL_MONEY'],
  market: [...chainSettings, ...monitoringSettings, 'PORT', 'HOST'],
  migrate: ['DATABASE_OWNER_URL'],
  ops: [...openSettings, ...ownLogin],
}
