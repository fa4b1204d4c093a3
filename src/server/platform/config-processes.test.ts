import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { testSettings } from '../testing/api.ts'
import {
  environmentOf,
  findDatabaseUrls,
  findOwnerUrl,
  type ProcessName,
  readConfig,
  readMarketSettings,
  readOwnerUrl,
  readSettings,
} from './config.ts'

const MAIN = join(import.meta.dirname, '../main.ts')
const key = `0x${'1'.repeat(64)}`
const database = 'postgres://127.0.0.1:1/wellplay'
const secrets = {
  DATABASE_URL: database,
  DATABASE_OWNER_URL: database,
  DATABASE_API_URL: database,
  DATABASE_WORKER_URL: database,
  DATABASE_SEEDS_URL: database,
  DATABASE_OPERATOR_URL: database,
  HOT_WALLET_KEY: key,
  RECEIPT_KEY: key,
  FAUCET_KEY: key,
}
type Secret = keyof typeof secrets

/** Everything else is refused. */
const needed: Record<ProcessName, Secret[]> = {
  api: ['DATABASE_URL', 'RECEIPT_KEY', 'FAUCET_KEY'],
  worker: ['DATABASE_URL', 'HOT_WALLET_KEY', 'RECEIPT_KEY'],
  seeds: ['DATABASE_URL'],
  market: [],
  migrate: ['DATABASE_OWNER_URL'],
  ops: ['DATABASE_URL'],
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

test('the refusal is one sentence on the terminal', async () => {
  const env = { ...open, DATABASE_URL: database }
  const child = spawn(process.execPath, [MAIN, 'market'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  expect((await text(child.stderr)).trim()).toBe(
    'DATABASE_URL is set, but market must not have it: start it without this setting.',
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
  expect(findDatabaseUrls({})).toBeUndefined()
  expect(() => findDatabaseUrls({ DATABASE_URL: database })).toThrow('DATABASE_API_URL')
  expect(() => findDatabaseUrls({ DATABASE_OWNER_URL: database })).toThrow('DATABASE_SEEDS_URL')
})

test("the owner's login comes from its own file, which only the backup reads", () => {
  const folder = mkdtempSync(join(tmpdir(), 'wellplay-test-'))
  expect(findOwnerUrl(folder, {})).toBeUndefined()
  writeFileSync(join(folder, 'owner.json'), JSON.stringify({ DATABASE_OWNER_URL: database }))
  expect(findOwnerUrl(folder, {})).toBe(database)
  rmSync(folder, { recursive: true })
})
