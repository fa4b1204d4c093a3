import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readVaultKeys } from '../chain/vault.ts'
import { freePort } from '../embedded/postgres.ts'
import { readConfig } from '../platform/config.ts'
import type { ProcessName } from '../platform/settings.ts'
import { testSettings } from '../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../testing/chain.ts'
import { createTestDatabase, runAsOwner, type TestDatabase } from '../testing/database.ts'
import { spawnWith } from '../testing/processes.ts'
import { startTcpProxy, throughPort } from '../testing/tcp-proxy.ts'
import { runOps } from './ops.ts'
import { checkProcess, checkUp } from './start-check.ts'

let chain: PaymentChain
let database: TestDatabase
let worker: Record<string, string>
beforeAll(async () => {
  ;[chain, database] = await Promise.all([startPaymentChain(), createTestDatabase()])
  worker = { ...testSettings(database.urls.worker), ...chain.settings }
})
afterAll(async () => {
  await chain.stop()
  await database.drop()
})

const NOTHING = { mistakes: [], unknown: [] }
const nowhere = `0x${'9'.repeat(40)}`
const mistakesOf = async (settings: Record<string, string>, name: ProcessName = 'worker') =>
  (await checkProcess(name, { ...worker, ...settings })).mistakes

test('right settings are accepted', async () => {
  expect(await checkProcess('worker', worker)).toEqual(NOTHING)
  const { HOT_WALLET_KEY: _, PUBLISHER_KEY: _publisher, DATABASE_URL: _own, ...open } = worker
  expect(await checkProcess('market', open)).toEqual(NOTHING)
  expect(await checkProcess('seeds', { ...open, DATABASE_URL: database.urls.seeds })).toEqual(NOTHING)
  expect(await checkProcess('migrate', { DATABASE_OWNER_URL: database.ownerUrl })).toEqual(NOTHING)
})

test('a node of another chain is refused, also if it is the second one', async () => {
  const { host } = new URL(chain.settings.RPC_URL)
  expect(await mistakesOf({ CHAIN_ID: '31338' })).toEqual([
    `CHAIN_ID: the node ${host} in RPC_URL has the chain id 31337, not 31338`,
  ])
  const both = await mistakesOf({ CHAIN_ID: '31338', RPC_URL: `${worker['RPC_URL']},${worker['RPC_URL']}` })
  expect(both).toHaveLength(2)
})

test.each(['USDT_ADDRESS', 'JW_ADDRESS', 'JWC_ADDRESS', 'PAIR_ADDRESS', 'VAULT_ADDRESS'])(
  '%s must be a contract',
  async (name) => {
    expect(await mistakesOf({ [name]: nowhere })).toEqual([
      `${name}: there is no contract at ${nowhere} on chain 31337`,
    ])
  },
)

test('a token must have the expected decimals, and be a token', async () => {
  const [jw, pair] = [worker['JW_ADDRESS'] ?? '', worker['PAIR_ADDRESS'] ?? '']
  expect(await mistakesOf({ USDT_ADDRESS: jw })).toEqual([`USDT_ADDRESS: the token at ${jw} has 10 decimals, not 18`])
  expect(await mistakesOf({ USDT_ADDRESS: pair })).toEqual([`USDT_ADDRESS: the contract at ${pair} is not a token`])
})

test('the vault must be our code, for our token, and pay for the hot wallet', async () => {
  const [pair, jwc] = [worker['PAIR_ADDRESS'] ?? '', worker['JWC_ADDRESS'] ?? '']
  expect(await mistakesOf({ VAULT_ADDRESS: pair })).toEqual([`VAULT_ADDRESS: the contract at ${pair} is not a vault`])
  expect(await mistakesOf({ USDT_ADDRESS: jwc })).toEqual([
    `VAULT_ADDRESS: the vault holds the token ${chain.usdt}, not USDT_ADDRESS`,
  ])
  const { HOT_WALLET_KEY: _, ...keyless } = worker
  const { mistakes } = await checkProcess('worker', {
    ...keyless,
    HOT_WALLET_KEY: chain.richKey,
    HOT_WALLET_ADDRESS: chain.rich,
  })
  expect(mistakes).toEqual([`HOT_WALLET_ADDRESS: the vault pays for ${chain.hot}, not for ${chain.rich}`])
  const { publisher } = await readVaultKeys(chain.chain)
  expect(await mistakesOf({ PUBLISHER_KEY: chain.richKey })).toEqual([
    `PUBLISHER_ADDRESS: the vault takes roots from ${publisher}, not from ${chain.rich}`,
  ])
  // The same interface, but one byte of the code is another one.
  const code = await chain.chain.client.getCode({ address: chain.vault })
  await chain.setCode(chain.vault, `${code?.slice(0, -2)}00` as `0x${string}`)
  expect(await mistakesOf({})).toEqual([
    `VAULT_ADDRESS: the contract at ${chain.vault} is another version of the vault`,
  ])
  await chain.setCode(chain.vault, code ?? '0x')
})

test("a process that has the key of the vault's guardian or owner, or whose signer has it, does not start", async () => {
  const { guardian, owner } = await readVaultKeys(chain.chain)
  const elsewhere = 'Keep it with another person, outside our machines.'
  expect(await mistakesOf({ RECEIPT_KEY: chain.roles.ownerKey })).toEqual([
    `RECEIPT_KEY: has the key of the vault's owner, ${owner}. ${elsewhere}`,
  ])
  const signer = createServer((_request, response) =>
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, result: [guardian.toUpperCase().replace('0X', '0x')] })),
  )
  await once(signer.listen(0, '127.0.0.1'), 'listening')
  const SIGNER_URL = `http://127.0.0.1:${(signer.address() as AddressInfo).port}`
  expect(await mistakesOf({ SIGNER_URL })).toEqual([
    `SIGNER_URL: has the key of the vault's guardian, ${guardian}. ${elsewhere}`,
  ])
  signer.closeAllConnections()
  signer.close()
})

test('a vault is deployed only after its hash is confirmed, and is what was confirmed', async () => {
  const { settings, richKey, rich, hot } = chain
  const own = (digit: number) => `0x${String(digit).repeat(40)}`
  const { publisher } = await readVaultKeys(chain.chain)
  const said: string[] = []
  const deploy = (...more: string[]) => {
    said.length = 0
    const keys = ['--payer', hot, '--publisher', publisher, '--guardian', own(2), '--owner', own(3)]
    const limits = ['--daily', '5000', '--single', '100', '--floor', '10']
    const args = ['deploy-vault', '--rpc', settings.RPC_URL, '--token', settings.USDT_ADDRESS, ...keys, ...limits]
    const surroundings = {
      settings: () => readConfig(worker),
      write: (text: string) => said.push(text),
      operatorKey: richKey,
    }
    return runOps([...args, ...more], surroundings)
  }
  const sent = () => chain.chain.client.getTransactionCount({ address: rich })
  const before = await sent()
  expect(await deploy()).toBe(0)
  const text = said.join('\n')
  for (const shown of [hot, own(3), '5000 USDT', '31337', 'constructor arguments']) expect(text).toContain(shown)
  const hash = /--confirm (0x[0-9a-f]{64})/.exec(text)?.[1] ?? ''
  expect(await deploy('--confirm', `0x${'0'.repeat(64)}`)).toBe(1)
  expect(await deploy('--confirm', hash, '--single', '101')).toBe(1)
  expect(await deploy('--owner', publisher)).toBe(1)
  expect(await sent()).toBe(before)
  await chain.rpc('evm_setAutomine', [true])
  expect(await deploy('--confirm', hash)).toBe(0)
  await chain.rpc('evm_setAutomine', [false])
  expect(said.join('\n')).not.toContain(richKey.slice(2))
  const VAULT_ADDRESS = /VAULT_ADDRESS=(0x[0-9a-f]{40})/.exec(said.join('\n'))?.[1] ?? ''
  expect(await mistakesOf({ VAULT_ADDRESS })).toEqual([])
})

test('the address of the hot wallet must be that of its key', async () => {
  expect(await mistakesOf({ HOT_WALLET_KEY: chain.richKey })).toEqual([
    `HOT_WALLET_ADDRESS: ${chain.hot} is not the address of HOT_WALLET_KEY`,
  ])
})

test('a database that is not migrated, half migrated or of a newer version is refused', async () => {
  const other = await createTestDatabase()
  const settings = { DATABASE_URL: other.urls.worker }
  const owner = (statement: string) => runAsOwner(other.ownerUrl, statement)
  const help = 'Run this first, with DATABASE_OWNER_URL: node src/server/main.ts migrate'
  await owner(`update function_files set sha256 = 'old' where name = 'functions/colour.sql'`)
  expect(await mistakesOf(settings)).toEqual([
    `DATABASE_URL: the database is not migrated to this version (functions/colour.sql). ${help}`,
  ])
  await owner(`insert into migrations (name, sha256) values ('9999_future.sql', '')`)
  const newer =
    'The database has the migration 9999_future.sql, which this version does not know. Update Wellplay first.'
  expect(await mistakesOf(settings)).toEqual([`DATABASE_URL: ${newer}`])
  const asOwner = { DATABASE_OWNER_URL: other.ownerUrl }
  expect((await checkProcess('migrate', asOwner)).mistakes).toEqual([`DATABASE_OWNER_URL: ${newer}`])
  await owner('drop table migrations')
  expect(await mistakesOf(settings)).toEqual([
    expect.stringMatching(/not migrated to this version \(0001_\S+ and \d+ more\)/),
  ])
  expect(await checkProcess('migrate', asOwner)).toEqual(NOTHING)
  await other.drop()
})

test('a wrong password and a database that does not exist are refused', async () => {
  const login = Object.assign(new URL(database.urls.worker), { password: 'wrong' }).href
  expect(await mistakesOf({ DATABASE_URL: login })).toEqual([
    'DATABASE_URL: the database refuses this login: password authentication failed for user "wellplay_worker"',
  ])
  const gone = Object.assign(new URL(database.urls.worker), { pathname: '/nothing' }).href
  expect(await mistakesOf({ DATABASE_URL: gone })).toEqual([
    'DATABASE_URL: the database refuses this login: database "nothing" does not exist',
  ])
})

test('more connections than the database allows are refused', async () => {
  const [, allowed] = /the database allows (\d+)/.exec((await mistakesOf({ DATABASE_CONNECTIONS: '200' })).join()) ?? []
  const most = Number(allowed)
  // The worker needs two more: one for events, one for its jobs.
  expect(await mistakesOf({ DATABASE_CONNECTIONS: String(most - 2) })).toEqual([])
  expect(await mistakesOf({ DATABASE_CONNECTIONS: String(most - 1) })).toEqual([
    `DATABASE_CONNECTIONS: with ${most - 1}, worker opens up to ${most + 1} connections, but the database allows ${most}. ` +
      'Lower it, or raise max_connections.',
  ])
})

test('what does not answer is unknown, not wrong', async () => {
  const silent = await startTcpProxy(database.ownerUrl)
  silent.swallow()
  const DATABASE_URL = throughPort(database.urls.worker, silent.port)
  const { mistakes, unknown } = await checkProcess('worker', { ...worker, DATABASE_URL, RPC_URL: 'http://127.0.0.1:1' })
  expect(mistakes).toEqual([])
  expect(unknown).toEqual([
    expect.stringMatching(/^RPC_URL: the node 127\.0\.0\.1:1 did not answer: /),
    expect.stringMatching(/^DATABASE_URL: the database did not answer: /),
  ])
  await silent.stop()
})

test('a process starts before its node does, and ends if the node turns out to be of another chain', async () => {
  const [port, nodePort] = [await freePort(), await freePort()]
  const { HOT_WALLET_KEY: _, PUBLISHER_KEY: _publisher, DATABASE_URL: _own, ...open } = worker
  const running = spawnWith(['market'], { ...open, PORT: String(port), RPC_URL: `http://127.0.0.1:${nodePort}` })
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true)
  const node = createServer((_request, response) => response.end('{"jsonrpc":"2.0","id":0,"result":"0x1"}'))
  node.listen(nodePort, '127.0.0.1')
  expect(await running.ended).toBe(1)
  expect(running.output()).toContain(
    `CHAIN_ID: the node 127.0.0.1:${nodePort} in RPC_URL has the chain id 1, not 31337`,
  )
  node.closeAllConnections()
  node.close()
})

test('a process reports every kind of mistake at once, and opens no port', async () => {
  const port = await freePort()
  const wrong = { CHAIN_ID: '31338', DATABASE_CONNECTIONS: '200', RPC_URLS: 'x', LOG_LEVEL: 'loud', PORT: String(port) }
  const { HOT_WALLET_KEY: _, ...keyless } = worker
  const running = spawnWith(['worker'], { ...keyless, ...wrong })
  expect(await running.ended).toBe(1)
  const lines = running.output().trim().split('\n')
  expect(lines[0]).toBe('Some settings are invalid:')
  expect(lines.slice(1).map((line) => /\w+/.exec(line)?.[0])).toEqual([
    'LOG_LEVEL',
    'HOT_WALLET_KEY',
    'RPC_URLS',
    'CHAIN_ID',
    'DATABASE_CONNECTIONS',
  ])
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow('fetch failed')
})

test('up refuses a wrong chain, a database of a newer version and a missing key together', async () => {
  const { HOT_WALLET_KEY: _, DATABASE_URL: _own, ...open } = worker
  const other = await createTestDatabase()
  await runAsOwner(other.ownerUrl, `insert into migrations (name, sha256) values ('9999_future.sql', '')`)
  const { api, seeds, operator } = other.urls
  const logins = { DATABASE_API_URL: api, DATABASE_WORKER_URL: other.urls.worker, DATABASE_SEEDS_URL: seeds }
  const databases = { ...logins, DATABASE_OPERATOR_URL: operator, DATABASE_OWNER_URL: other.ownerUrl }
  const { mistakes } = await checkUp({ ...open, ...databases, USDT_ADDRESS: nowhere })
  expect(mistakes).toEqual([
    'HOT_WALLET_KEY: missing. The worker signs payouts with it, or with SIGNER_URL and HOT_WALLET_ADDRESS.',
    `USDT_ADDRESS: there is no contract at ${nowhere} on chain 31337`,
    expect.stringContaining('DATABASE_OWNER_URL: The database has the migration 9999_future.sql'),
  ])
  await other.drop()
})

test('migrate needs only the database', async () => {
  const running = spawnWith(['migrate'], { DATABASE_OWNER_URL: database.ownerUrl })
  expect([await running.ended, running.output()]).toEqual([0, ''])
})

test('`ops check` says what is wrong and exits with 1, or with 0', async () => {
  const { HOT_WALLET_KEY: _, PUBLISHER_KEY: _publisher, ...open } = worker
  const right = spawnWith(['ops', 'check'], { ...open, DATABASE_URL: database.urls.operator })
  expect(await right.ended).toBe(0)
  expect(right.output()).toContain(
    'The settings of ops are right, and so are the database and the chain that they name.',
  )
  const wrong = spawnWith(['ops', 'check', 'worker'], { ...worker, JW_ADDRESS: nowhere })
  expect(await wrong.ended).toBe(1)
  expect(wrong.output()).toContain(`  - JW_ADDRESS: there is no contract at ${nowhere} on chain 31337`)
})
