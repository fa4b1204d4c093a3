import { randomBytes } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { store } from './shell-pages.ts'

/** Registers a new wallet over the API and signs the page in with it. The session is not bound to a browser key. */
export async function becomeMember(page: Page, request: APIRequestContext) {
  const { account, ...user } = await registerMember(request)
  await store(page, 'user', JSON.stringify(user))
  return { ...user, account }
}

/** Registers a new wallet over the API. Returns the stored user entry and the wallet account. */
export async function registerMember(request: APIRequestContext) {
  const account = privateKeyToAccount(generatePrivateKey())
  const nonce = await post(request, '/api/auth/nonce/', { wallet_address: account.address })
  const message = createSiweMessage({
    address: account.address,
    domain: nonce.domain,
    uri: nonce.uri,
    version: '1',
    chainId: nonce.chain_id,
    nonce: nonce.nonce,
    issuedAt: new Date(nonce.issued_at),
    statement: nonce.statement,
  })
  const signature = await account.signMessage({ message })
  const username = `player_${randomBytes(6).toString('hex')}w`
  const { token, id, wallet_address, level } = await post(request, '/api/auth/register/', {
    message,
    signature,
    username,
  })
  return { token, id, wallet_address, username, level, account }
}

/** Registers like a visitor, with a demo wallet created in the browser and funded by the faucet. */
export async function joinWithDemoWallet(page: Page, path = '/login/register') {
  await page.goto(path)
  await page.getByRole('button', { name: 'Start with a demo wallet' }).click()
  await page.waitForURL('**/user/home', { timeout: 60_000 })
  return JSON.parse((await page.evaluate(() => localStorage.getItem('user'))) ?? '{}') as {
    token: string
    username: string
    wallet_address: string
  }
}

export async function post(
  request: APIRequestContext,
  path: string,
  data: object,
  headers: Record<string, string> = {},
) {
  const reply = await request.post(path, { data, headers })
  if (!reply.ok()) throw new Error(`${path}: ${await reply.text()}`)
  return reply.json()
}
