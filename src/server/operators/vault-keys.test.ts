import { hostname } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '../../protocol/ids.ts'
import type { Chain } from '../chain/client.ts'
import { recordKeyPlaces } from '../chain/key-places.ts'
import type { Hash } from '../chain/tables.ts'
import { readVault, readVaultKeys } from '../chain/vault.ts'
import { createDb, createPool, type Db } from '../platform/db.ts'
import { createTestApi, type TestApi } from '../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../testing/chain.ts'
import { runAsOwner } from '../testing/database.ts'
import { runOpsWithKey } from '../testing/ops.ts'

let api: TestApi
let node: PaymentChain
/** With the login of the worker. */
let workerDb: Db

beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
  workerDb = createDb(createPool(api.database.urls.worker, 1))
})
afterAll(async () => {
  await workerDb.destroy()
  await api.close()
  await node.stop()
})

const ops = (...args: string[]) => runOpsWithKey(api, args)
/** A worker with these settings instead of its own. */
const aWorker = (settings: Partial<Chain['settings']> = {}) => {
  const { chain } = api.context
  return recordKeyPlaces(workerDb, { ...chain, settings: { ...chain.settings, ...settings } as Chain['settings'] })
}
const rowOf = (text: string, key: string) => text.split('\n').find((line) => line.startsWith(key)) ?? ''

test('`ops keys` names all four keys, where each is and its BNB, and shows no secret', async () => {
  const before = await ops('keys')
  expect(before.code).toBe(1)
  expect(before.text).toContain('MISSING: no worker of the last 5 minutes can sign as payer. Payouts wait.')
  await aWorker()
  await aWorker()
  const { code, text } = await ops('keys')
  expect(code, text).toBe(0)
  const keys = await readVaultKeys(node.chain)
  expect(rowOf(text, 'payer')).toMatch(
    new RegExp(`${keys.payer}  ${hostname()}: environment \\(HOT_WALLET_KEY\\) +100 +make the vault pay`),
  )
  expect(rowOf(text, 'publisher')).toContain(`${keys.publisher}  ${hostname()}: environment (PUBLISHER_KEY)`)
  for (const key of ['guardian', 'owner'] as const)
    expect(rowOf(text, key)).toContain(`${keys[key]}  in no process that we know`)
  for (const secret of [node.hotKey, ...Object.values(node.roles)]) expect(text).not.toContain(secret.slice(2))
})

test('`ops keys` says that a worker has another key than the vault, or that of the guardian', async () => {
  await aWorker({ publisherKey: node.roles.guardianKey })
  await aWorker({ hotWalletKey: undefined, hotWallet: node.rich, signerUrl: 'http://user:hidden@signer.example:9000' })
  const { code, text } = await ops('keys')
  expect(code).toBe(1)
  const { payer, publisher, guardian } = await readVaultKeys(node.chain)
  const problems = text.split('\n').filter((line) => line.startsWith('WRONG'))
  expect(problems.toSorted()).toEqual([
    `WRONG: ${hostname()} signs as payer with ${node.rich}, but the vault's payer is ${payer}.`,
    `WRONG: ${hostname()} signs as publisher with ${guardian}, but the vault's publisher is ${publisher}. ` +
      'That is the key of the guardian: it must be elsewhere.',
  ])
  expect(rowOf(text, 'guardian')).toContain(`${hostname()}: environment (PUBLISHER_KEY)`)
  expect(text).not.toContain('hidden')
  // Workers that are gone do no harm, and are shown for a day.
  await runAsOwner(api.database.ownerUrl, `update chain_key_places set seen_at = now() - interval '6 minutes'`)
  await aWorker()
  const later = await ops('keys')
  expect(later.code).toBe(0)
  expect(rowOf(later.text, 'guardian')).toContain('environment (PUBLISHER_KEY), not seen for 5 minutes')
})

/** Has the keyholder's own wallet send exactly what the command printed. */
async function sendPrinted(key: Hash, text: string): Promise<void> {
  const of = (name: string, digits: string) => new RegExp(`^${name} +(0x${digits})`, 'm').exec(text)?.[1] as Hash
  await node.sendCall(key, of('to', '[0-9a-f]{40}') as Address, of('data', '[0-9a-f]+'))
  await node.mine()
}

test('`ops vault-call` prints what guardian and owner sign, and whether the vault accepts it', async () => {
  const { guardianKey, ownerKey } = node.roles
  const { guardian, owner } = await readVaultKeys(node.chain)
  const paused = await ops('vault-call', 'pause')
  expect(paused).toMatchObject({ code: 0, text: expect.stringContaining(`${guardian}, the guardian`) })
  await sendPrinted(guardianKey, paused.text)
  expect((await readVault(node.chain)).isPaused).toBe(true)
  expect(await ops('vault-call', 'pause')).toMatchObject({ code: 1, text: expect.stringContaining('EnforcedPause') })
  await sendPrinted(guardianKey, (await ops('vault-call', 'unpause')).text)
  expect((await readVault(node.chain)).isPaused).toBe(false)
  const proposed = await ops('vault-call', 'propose', 'payer', node.rich.toUpperCase().replace('0X', '0x'))
  expect(proposed.text).toContain(`${owner}, the owner`)
  await sendPrinted(ownerKey, proposed.text)
  expect(await ops('vault-call', 'accept', 'payer')).toMatchObject({
    code: 1,
    text: expect.stringContaining('TooEarly'),
  })
  await sendPrinted(ownerKey, (await ops('vault-call', 'propose', 'surplus', node.rich, '25')).text)
  const { text } = await ops('keys')
  expect(text).toMatch(new RegExp(`^payer +${node.rich} +20\\d\\d-`, 'm'))
  expect(text).toMatch(new RegExp(`^surplus +25 USDT to ${node.rich} `, 'm'))
  await sendPrinted(guardianKey, (await ops('vault-call', 'cancel', 'payer')).text)
  await node.rpc('evm_increaseTime', [48 * 3600])
  await node.mine()
  expect(await ops('vault-call', 'accept', 'payer')).toMatchObject({
    code: 1,
    text: expect.stringContaining('TooLate'),
  })
  await sendPrinted(guardianKey, (await ops('vault-call', 'cancel', 'surplus')).text)
  expect((await ops('keys')).text).not.toContain('can be accepted')
  // A root of more than 48 hours ago stays.
  expect(await ops('vault-call', 'strike', '1')).toMatchObject({ code: 1, text: expect.stringContaining('TooLate') })
})

test.each([
  [[], 'The call is missing'],
  [['steal'], 'Unknown call. The calls are: pause, unpause, strike, accept, cancel, propose'],
  [['strike', '-1.5'], 'The epoch is a whole number'],
  [['strike'], 'The epoch is missing'],
  [['cancel', 'everything'], 'Name what changes: payer, publisher, guardian, owner, limits, surplus'],
  [['propose', 'payer', '0x12'], 'This is not an address'],
  [['propose', 'limits', '100'], 'The amount is missing'],
  [['propose', 'surplus', `0x${'1'.repeat(40)}`, '1.0000001'], 'decimals'],
])('`ops vault-call` refuses %j in one sentence', async (words, sentence) => {
  expect(await ops('vault-call', '--', ...words)).toMatchObject({ code: 1, text: expect.stringContaining(sentence) })
})
