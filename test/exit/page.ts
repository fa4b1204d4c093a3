import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect } from 'vitest'
import { launchChromium } from '../../scripts/browser.ts'
import { buildOfflinePage } from '../../scripts/offline-pages.ts'
import { trust } from '../../src/protocol/trust.ts'
import { followCalls } from '../../src/server/chain/publisher-send.ts'
import { publishRoot } from '../../src/server/features/trust/publish.ts'
import type { TestApi } from '../../src/server/testing/api.ts'
import type { PaymentChain } from '../../src/server/testing/chain.ts'
import type { TestUser } from '../../src/server/testing/payments.ts'

export type Proof = {
  leaf: { wallet: string; balances: { amount: string }[] }
  leaf_key: string
  snapshot: { epoch: number }
}
/** Only a page that hangs should time out, not one on a busy machine. */
const PATIENCE_MS = 120_000
type Call = { method: string; params?: unknown[] }

/** The saved exit.html in a real browser, with wallets on this chain. */
export async function createExits(node: PaymentChain) {
  const folder = mkdtempSync(join(tmpdir(), 'wellplay-exit-'))
  const pagePath = join(folder, 'wellplay-exit.html')
  writeFileSync(pagePath, buildOfflinePage('exit'))
  const browser = await launchChromium()

  /** Opens the saved page with a wallet in it that signs without asking. `refuses` is what the user declines. */
  async function open(user: TestUser, { chainId = '0x7a69', refuses = '' } = {}) {
    const page = await browser.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    const requests: string[] = []
    page.on('request', (sent) => requests.push(sent.url()))
    await page.exposeFunction('walletRequest', async ({ method, params = [] }: Call) => {
      if (method === refuses) return { error: { code: 4001, message: 'User rejected' } }
      if (method === 'eth_requestAccounts') return { result: [user.wallet.address] }
      if (method === 'eth_chainId') return { result: chainId }
      if (method !== 'eth_sendTransaction') return { result: await node.rpc(method, params) }
      const [{ to, data }] = params as [{ to: `0x${string}`; data: `0x${string}` }]
      const result = await node.sendCall(user.wallet.privateKey, to, data)
      await node.mine()
      return { result }
    })
    await page.addInitScript(addWallet)
    await page.goto(`file://${pagePath}`)
    return { page, requests, result: page.locator('#result') }
  }

  return {
    pagePath,
    open,
    async stop(): Promise<void> {
      await browser.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs in the page, as the script of a wallet extension does. */
function addWallet(): void {
  const ask = (window as unknown as { walletRequest(call: object): Promise<{ result?: unknown; error?: object }> })
    .walletRequest
  const provider = {
    async request(call: object) {
      const { result, error } = await ask(call)
      if (error) throw error
      return result
    },
  }
  const announce = () =>
    window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: { info: { name: 'Test wallet' }, provider } }),
    )
  window.addEventListener('eip6963:requestProvider', announce)
}

export const choose = (page: Page, id: 'proof' | 'tree', content: object) =>
  page.locator(`#${id}`).setInputFiles({
    name: id,
    mimeType: 'application/octet-stream',
    buffer: Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content)),
  })
export const connect = (page: Page) => page.getByRole('button', { name: 'Connect Test wallet' }).click()
export const shows = (page: Page, text: string) => page.locator('#result', { hasText: text }).waitFor()

/** Publishes a root and returns its public file. */
export async function publishTree(api: TestApi, node: PaymentChain): Promise<Buffer> {
  expect(await publishRoot(api.context)).toBe(true)
  const follow = () => followCalls({ ...api.context, stuckSeconds: 60 })
  await follow()
  await node.mine(3)
  await follow()
  // Waits until the API has heard of the root: callers share a reply until then.
  const { snapshot } = (await api.call(trust.summary, {})).data
  return (await api.http.inject(`/api/trust/tree/${snapshot?.epoch}`)).rawPayload
}

/** The JSON that the trust page saves. */
export const readProof = async (api: TestApi, { token }: TestUser): Promise<Proof> =>
  (await api.send('POST', '/trust/proof/', {}, { token })).body.data as Proof

async function passDays(node: PaymentChain, days: number): Promise<void> {
  await node.rpc('evm_increaseTime', [`0x${(days * 86_400).toString(16)}`])
  await node.mine()
}

/** Waits until notice can be given, gives it, and opens the exits a day later. */
export async function openExits(page: Page, node: PaymentChain): Promise<void> {
  await passDays(node, 6)
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('button', { name: 'Give notice' }).click()
  await shows(page, 'Exits are not open yet')
  await passDays(node, 1)
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('button', { name: 'Open the exits' }).click()
}
