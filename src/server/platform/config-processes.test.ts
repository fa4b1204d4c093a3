import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { testSettings } from '../testing/api.ts'
import {
  environmentOf,
  findOwnerUrl,
  readConfig,
  readLocalSettings,
  readMarketSettings,
  readOwnerUrl,
  readSettings,
  readUpSettings,
} from './config.ts'
import type { ProcessName } from './settings.ts'

const MAIN = join(import.meta.dirname, '../main.ts')
const key = `0x${'1'.repeat(64)}`
const database = 'postgres://127.0.0.1:1/wellplay'
const secrets = {
  DATABASE_URL: database,
  DATABASE_LISTEN_URL: database,
  DATABASE_OWNER_URL: database,
  DATABASE_API_URL: database,
  DATABASE_WORKER_URL: database,
  DATABASE_SEEDS_URL: database,
  DATABASE_OPERATOR_URL: database,
  HOT_WALLET_KEY: key,
  PUBLISHER_KEY: key,
  SIGNER_URL: 'http://127.0.0.1:1',
  RECEIPT_KEY: key,
  FAUCET_KEY: key,
  PUSH_PRIVATE_KEY: 'a'.repeat(43),
  SMTP_URL: 'smtp://127.0.0.1:1',
  TELEGRAM_TOKEN: `1:${'a'.repeat(35)}`,
}
type Secret = keyof typeof secrets

/** Everything else is refused. */
const needed: Record<ProcessName, Secret[]> = {
  api: ['DATABASE_URL', 'DATABASE_LISTEN_URL', 'RECEIPT_KEY', 'FAUCET_KEY'],
  worker: [
    'DATABASE_URL',
    'DATABASE_LISTEN_URL',
    'HOT_WALLET_KEY',
    'PUBLISHER_KEY',
    'SIGNER_URL',
    'RECEIPT_KEY',
    'PUSH_PRIVATE_KEY',
    'SMTP_URL',
    'TELEGRAM_TOKEN',
  ],
  seeds: ['DATABASE_URL', 'DATABASE_LISTEN_URL'],
  market: [],
  migrate: ['DATABASE_OWNER_URL'],
  ops: ['DATABASE_URL', 'DATABASE_LISTEN_URL'],
}
const { DATABASE_URL: _own, ...open } = testSettings(database)

const readers: Record<ProcessName, (env: Record<string, string>) => unknown> = {
  api: (env) => readSettings('api', env),
  worker: (env) => readSettings('worker', env),
  seeds: (env) => readSettings('seeds', env),
  market: readMarketSettings,
  migrate: readOwnerUrl,
  ops: (env) => readSettings('ops', env),
}

test.each(Object.entries(needed))('%s reads its own secrets and refuses to start with any other', (name, own) => {
  const read = readers[name as ProcessName]
  const settings = { ...open, ...Object.fromEntries(own.map((secret) => [secret, secrets[secret]])) }
  expect(read(settings)).toBeTruthy()
  for (const secret of (Object.keys(secrets) as Secret[]).filter((each) => !own.includes(each)))
    expect(() => read({ ...settings, [secret]: secrets[secret] })).toThrow(
      `${secret} is set, but ${name} must not have it: start it without this setting.`,
    )
})

test('a secret of another process is a sentence on the terminal', async () => {
  const env = { ...open, DATABASE_URL: database }
  const child = spawn(process.execPath, [MAIN, 'market'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  expect((await text(child.stderr)).trim()).toBe(
    'Some settings are invalid:\n  - DATABASE_URL is set, but market must not have it: start it without this setting.',
  )
  expect(await ended).toBe(1)
})

test('a child process gets its own settings, and no other variable of ours', () => {
  process.env['SECRET_OF_SOMEONE'] = 'x'
  const given = { ...open, ...secrets, SECRET_OF_SOMEONE: 'x' }
  for (const [name, own] of Object.entries(needed)) {
    const env = environmentOf(name as ProcessName, given)
    expect(
      Object.keys(env)
        .filter((setting) => setting in secrets)
        .sort(),
    ).toEqual(own.toSorted())
    expect(env).not.toHaveProperty('SECRET_OF_SOMEONE')
    expect(env['PATH']).toBe(process.env['PATH'])
  }
  delete process.env['SECRET_OF_SOMEONE']
})

test('receipts are never signed with the key of the hot wallet', () => {
  expect(readConfig({ ...testSettings(database), HOT_WALLET_KEY: key }).chain.receiptKey).toBeUndefined()
})

test('a database of your own needs a login for every process', () => {
  expect(readUpSettings({}).databases).toBeUndefined()
  expect(() => readUpSettings({ DATABASE_URL: database })).toThrow('DATABASE_API_URL')
  expect(() => readUpSettings({ DATABASE_LISTEN_URL: database })).toThrow('npm start uses no connection pooler')
  expect(() => readUpSettings({ DATABASE_OWNER_URL: database })).toThrow('DATABASE_SEEDS_URL')
})

const messageOf = (read: () => unknown): string[] => {
  try {
    read()
    return []
  } catch (error) {
    return (error as Error).message.split('\n').slice(1)
  }
}

test('a process reports all mistakes at once: missing, malformed, dangerous together, and secrets of others', () => {
  const { USDT_ADDRESS: _, ...without } = open
  const env = { ...without, PORT: 'abc', CHAIN_ID: '56', DATABASE_URL: '', HOT_WALLET_KEY: key, FAUCET_KEY: 'x' }
  const mistakes = messageOf(() => readSettings('seeds', env))
  for (const part of [
    'USDT_ADDRESS: missing',
    'PORT: ',
    'CHAIN_ID: 56 is not a development chain. Set NETWORK=bsc',
    'DATABASE_URL: missing',
    'FAUCET_KEY: a private key: 0x and 64 hex digits',
    'HOT_WALLET_KEY is set, but seeds must not have it: start it without this setting.',
    'FAUCET_KEY is set, but seeds must not have it: start it without this setting.',
  ])
    expect(mistakes.filter((line) => line.startsWith(`  - ${part}`))).toHaveLength(1)
  expect(mistakes).toHaveLength(7)
})

test('up reports all mistakes at once, those of the database and of a public network included', () => {
  const env = { NETWORK: 'bsc', CHAIN_ID: '97', PORT: '70000', DATABASE_URL: database, DATABASE_API_URL: 'mysql://x' }
  const mistakes = messageOf(() => readUpSettings(env))
  for (const name of ['USDT', 'JW', 'JWC', 'PAIR', 'VAULT']) expect(mistakes).toContain(`  - ${name}_ADDRESS: missing`)
  for (const name of ['OWNER', 'WORKER', 'SEEDS', 'OPERATOR'])
    expect(mistakes).toContain(`  - DATABASE_${name}_URL: missing`)
  for (const part of [
    'PORT: ',
    'CHAIN_ID: NETWORK=bsc needs CHAIN_ID=56, not 97',
    'NETWORK=bsc needs RPC_URL.',
    'DATABASE_URL: each process has its own login',
    'DATABASE_API_URL: ',
    'HOT_WALLET_KEY: missing. The worker signs payouts with it, or with SIGNER_URL and HOT_WALLET_ADDRESS.',
    'PUBLISHER_KEY: missing. The worker publishes roots with it, or with SIGNER_URL and PUBLISHER_ADDRESS.',
  ])
    expect(mistakes.filter((line) => line.startsWith(`  - ${part}`))).toHaveLength(1)
  expect(mistakes).toHaveLength(16)
})

test.each([
  ['RPC_URLS', 'RPC_URL'],
  ['PROT', 'PORT'],
  ['NETWROK', 'NETWORK'],
  ['DATABASE_CONECTION', 'DATABASE_CONNECTIONS'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['HOT_WALLET_KEYS', 'HOT_WALLET_KEY'],
  ['DATADIR', 'DATA_DIR'],
  ['log_level', 'LOG_LEVEL'],
  ['WELLPLAY_CHAIN_ID', 'CHAIN_ID'],
])('%s is not silently ignored: it asks for %s', (name, meant) => {
  const sentence = `  - ${name} is not a setting. Did you mean ${meant}?`
  const env = { ...open, DATABASE_URL: database, [name]: 'x' }
  expect(messageOf(() => readSettings('api', env))).toEqual([sentence])
  expect(messageOf(() => readUpSettings({ [name]: 'x' }))).toEqual([sentence])
  expect(messageOf(() => readLocalSettings({ [name]: 'x' }))).toEqual([sentence])
})

test('variables of other programs are not taken for misspelt settings', () => {
  const others = 'HOME HOSTNAME HOSTTYPE PATH LOGNAME PWD LANG TERM API_URL APP_URL NODE_ENV REDIS_PORT PGHOST PGPORT'
  const env = Object.fromEntries(others.split(' ').map((name) => [name, 'x']))
  expect(messageOf(() => readUpSettings(env))).toEqual([])
})

test('a worker without the keys for payouts and roots is refused', () => {
  const mistakes = messageOf(() => readSettings('worker', { ...open, DATABASE_URL: database }))
  expect(mistakes).toEqual([
    '  - HOT_WALLET_KEY: missing. The worker signs payouts with it, or with SIGNER_URL and HOT_WALLET_ADDRESS.',
    '  - PUBLISHER_KEY: missing. The worker publishes roots with it, or with SIGNER_URL and PUBLISHER_ADDRESS.',
  ])
})

test('DATA_DIR is a setting: relative to the current folder, and .data of the installation by default', () => {
  const root = join(import.meta.dirname, '../../..')
  expect(readLocalSettings({}).dataDir).toBe(join(root, '.data'))
  expect(readLocalSettings({ DATA_DIR: 'elsewhere' }).dataDir).toBe(join(process.cwd(), 'elsewhere'))
  expect(readUpSettings({ DATA_DIR: '/srv/wellplay' }).dataDir).toBe('/srv/wellplay')
})

test("the owner's login comes from its own file, which only the backup reads", () => {
  const folder = mkdtempSync(join(tmpdir(), 'wellplay-test-'))
  expect(findOwnerUrl(folder, {})).toBeUndefined()
  writeFileSync(join(folder, 'owner.json'), JSON.stringify({ DATABASE_OWNER_URL: database }))
  expect(findOwnerUrl(folder, {})).toBe(database)
  rmSync(folder, { recursive: true })
})
