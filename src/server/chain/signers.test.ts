import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Hex, parseTransaction } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt, WEI_PER_MICRO } from '../../protocol/money.ts'
import { withdrawals } from '../../protocol/withdrawals.ts'
import { auditAndHalt } from '../ledger/audit.ts'
import { allInvariants } from '../operators/invariants.ts'
import { readSettings } from '../platform/config.ts'
import { createTestApi, type TestApi, testSettings } from '../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../testing/chain.ts'
import { aDepositor, type TestUser, withdraw, workOnce } from '../testing/payments.ts'
import type { SignerMood } from '../testing/signer-process.ts'
import { getSigner } from './signers.ts'
import { checkChain } from './start-check.ts'

/** The product has no key at all: a signer in another process has it. */
let api: TestApi
let anvil: PaymentChain
let signer: ChildProcess
let signerUrl: string
let settings: Record<string, string>
let user: TestUser
const signed: Hex[] = []
const NET = parseUsdt('9.5') * WEI_PER_MICRO

beforeAll(async () => {
  anvil = await startPaymentChain()
  const { publisherKey } = anvil.roles
  const keys = [anvil.hotKey, publisherKey]
  signer = fork(join(import.meta.dirname, '../testing/signer-process.ts'), keys, { stdio: 'ignore' })
  const [{ port }] = (await once(signer, 'message')) as [{ port: number }]
  signer.on('message', ({ raw }: { raw?: Hex }) => void (raw && signed.push(raw)))
  signerUrl = `http://127.0.0.1:${port}`
  const { HOT_WALLET_KEY: _, PUBLISHER_KEY: _publisher, ...open } = anvil.settings
  settings = { ...open, PUBLISHER_ADDRESS: privateKeyToAddress(publisherKey), SIGNER_URL: signerUrl }
  api = await createTestApi({ settings })
  await workOnce(api, anvil)
  user = await aDepositor(api, anvil, '500')
})
afterAll(async () => {
  await api.close()
  signer.kill('SIGKILL')
  await anvil.stop()
})

async function become(mood: SignerMood): Promise<void> {
  const changed = new Promise<void>((done) => {
    const onMessage = (said: { mood?: SignerMood }) => {
      if (said.mood !== mood) return
      signer.off('message', onMessage)
      done()
    }
    signer.on('message', onMessage)
  })
  signer.send(mood)
  await changed
}

async function work(passes: number): Promise<void> {
  for (let pass = 0; pass < passes; pass++) await workOnce(api, anvil)
}

const newest = async () => (await api.call(withdrawals.history, { page_no: 1 }, user.token)).data[0]
const attempts = () => api.context.db.selectFrom('chain_payout_attempts').select(['tx_hash', 'raw']).execute()
const held = () => anvil.balanceOf(user.wallet.address)

test('a worker without any key and a signer beside it pays withdrawals', async () => {
  const env = { ...testSettings(api.database.appUrl), ...settings }
  expect(Object.keys(env).filter((name) => name.endsWith('_KEY') && name !== 'RECEIPT_KEY')).toEqual([])
  expect(readSettings('worker', env).chain.hotWalletKey).toBeUndefined()
  const before = await held()
  await withdraw(api, user, '10')
  await work(6)
  expect(await newest()).toMatchObject({ state: 'paid' })
  expect((await held()) - before).toBe(NET)
  expect((await auditAndHalt(api.context.db, allInvariants(api.context.chain))).passed).toBe(true)
})

test('a signer that times out after signing: the same nonce is signed again, and one payment is made', async () => {
  const before = await held()
  await withdraw(api, user, '10')
  await become('silent after signing')
  await work(1)
  expect(await newest()).toMatchObject({ state: 'requested', note: expect.stringContaining('signer') })
  const lost = signed.at(-1) as Hex
  await become('honest')
  await work(6)
  expect(await newest()).toMatchObject({ state: 'paid' })
  const again = (await attempts()).at(-1)?.raw as Hex
  expect(parseTransaction(again).nonce).toBe(parseTransaction(lost).nonce)
  // Somebody who kept the lost bytes can do nothing with them.
  await expect(anvil.rpc('eth_sendRawTransaction', [lost])).rejects.toThrow(/nonce too low|already/)
  await work(2)
  expect((await held()) - before).toBe(NET)
})

test.each<SignerMood>(['pays more', 'changes the nonce', 'uses another key', 'refuses'])(
  'a signer that %s: nothing is stored or sent, and earlier payouts go on',
  async (mood) => {
    const [before, stored] = [await held(), await attempts()]
    await withdraw(api, user, '10')
    await workOnce(api, anvil, { blocks: 0 })
    expect(await attempts()).toHaveLength(stored.length + 1)
    await withdraw(api, user, '10')
    await become(mood)
    await work(4)
    expect(await attempts()).toHaveLength(stored.length + 1)
    expect((await held()) - before).toBe(NET)
    await become('honest')
    await work(6)
    expect((await held()) - before).toBe(2n * NET)
  },
)

test('the start check names a key that the signer does not have, and a signer that does not answer', async () => {
  const { chain } = readSettings('worker', { ...testSettings(api.database.appUrl), ...settings })
  expect((await checkChain(chain)).mistakes).toEqual([])
  const { mistakes } = await checkChain({ ...chain, hotWallet: anvil.rich })
  expect(mistakes).toContain(`SIGNER_URL: the signer has no key of ${anvil.rich}`)
  const { unknown } = await checkChain({ ...chain, signerUrl: 'http://127.0.0.1:1' })
  expect(unknown).toEqual([expect.stringMatching(/^SIGNER_URL: the signer did not answer: /)])
})

test('a key in the environment comes before the signer, and must belong to its address', () => {
  const { chain } = api.context
  const own = { ...chain, settings: { ...chain.settings, hotWalletKey: anvil.hotKey } }
  expect(getSigner(own, 'payer').place).toBe('environment (HOT_WALLET_KEY)')
  expect(getSigner(chain, 'payer')).toMatchObject({ address: anvil.hot, place: `signer ${new URL(signerUrl).host}` })
  const wrong = { ...chain, settings: { ...chain.settings, hotWalletKey: anvil.richKey } }
  expect(() => getSigner(wrong, 'payer')).toThrow('HOT_WALLET_KEY and HOT_WALLET_ADDRESS do not belong together')
  const none = { ...chain, settings: { ...chain.settings, publisher: undefined } }
  expect(() => getSigner(none, 'publisher')).toThrow('Neither PUBLISHER_KEY nor SIGNER_URL with PUBLISHER_ADDRESS')
})
