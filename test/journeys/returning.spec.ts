import { type APIRequestContext, expect, type Page, test } from '@playwright/test'
import { generatePrivateKey } from 'viem/accounts'
import { shortAddress } from '../../src/protocol/short-address.ts'
import { InjectedWallet } from './injected-wallet.ts'
import { phone } from './phone.ts'
import { readRemembered } from './remembered.ts'

test.use(phone)

const chainIdOf = async (request: APIRequestContext): Promise<number> =>
  (await (await request.get('/api/chain/')).json()).chain_id

const usernameOn = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}').username)

async function joinWith(page: Page): Promise<string> {
  await page.goto('/login/register')
  await page.getByRole('button', { name: 'Test wallet' }).tap()
  await page.waitForURL('**/user/home')
  return usernameOn(page)
}

async function signOut(page: Page): Promise<void> {
  await page.goto('/user/profile')
  const name = await usernameOn(page)
  await page
    .getByRole('button', { name: new RegExp(name) })
    .first()
    .tap()
  await page.getByRole('menuitem', { name: 'Sign out' }).tap()
  await page.waitForURL((url) => url.pathname === '/')
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
}

test('after signing out, one tap on the landing page signs the same wallet in, without a name', async ({
  page,
  context,
  request,
}) => {
  const wallet = new InjectedWallet(await chainIdOf(request))
  await wallet.install(context)
  const username = await joinWith(page)
  await signOut(page)
  const offer = page.getByRole('link', { name: `Sign in as ${shortAddress(wallet.account.address.toLowerCase())}` })
  await expect(page.locator('header').getByRole('button', { name: 'Connect', exact: true })).toBeVisible()
  await offer.tap()
  await page.waitForURL('**/user/home')
  expect(await usernameOn(page)).toBe(username)
  await test.step('what the browser remembers holds no secret', async () => {
    const address = shortAddress(wallet.account.address.toLowerCase())
    expect(JSON.parse((await readRemembered(page)) ?? '')).toEqual({
      id: 'org.example.test',
      name: 'Test wallet',
      address,
    })
  })
})

test('Start Playing offers the remembered wallet, and another one can be used', async ({ page, context, request }) => {
  const wallet = new InjectedWallet(await chainIdOf(request))
  await wallet.install(context)
  await joinWith(page)
  await signOut(page)
  await page.getByRole('button', { name: 'Start Playing' }).tap()
  await expect(page).toHaveURL('/login/register')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back')
  await expect(page.getByText('Your name')).toHaveCount(0)
  await expect(page.getByLabel('Username')).toHaveCount(0)
  const asked = wallet.shown.length
  await page.reload()
  await expect(page.getByRole('button', { name: /^Sign in as 0x/ })).toBeEnabled()
  expect(wallet.shown.slice(asked)).toEqual([])
  await page.getByRole('button', { name: 'Use another wallet' }).tap()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Join Wellplay')
  await expect(page.getByRole('button', { name: 'Test wallet' })).toBeVisible()
})

test('on a new device a known wallet is signed in without being asked for a name', async ({
  page,
  context,
  browser,
  request,
}) => {
  const key = generatePrivateKey()
  const chainId = await chainIdOf(request)
  await new InjectedWallet(chainId, [key]).install(context)
  const username = await joinWith(page)
  const device = await browser.newContext(phone)
  await new InjectedWallet(chainId, [key]).install(device)
  const other = await device.newPage()
  await other.goto('/login/register')
  await expect(other.getByLabel('Username')).toHaveCount(0)
  await other.getByRole('button', { name: 'Test wallet' }).tap()
  await other.waitForURL('**/user/home')
  expect(await usernameOn(other)).toBe(username)
  await device.close()
})

test('if the remembered wallet is set to another account, nothing is signed before the user chooses', async ({
  page,
  context,
  request,
}) => {
  const wallet = new InjectedWallet(await chainIdOf(request), [generatePrivateKey(), generatePrivateKey()])
  await wallet.install(context)
  await joinWith(page)
  await signOut(page)
  const [first, second] = wallet.accounts.map(({ address }) => shortAddress(address.toLowerCase()))
  const other = wallet.accounts[1]
  if (!other) throw new Error('the wallet has one account')
  await wallet.select(page, other)
  const asked = wallet.shown.length
  await page.getByRole('link', { name: `Sign in as ${first}` }).tap()
  await expect(page.getByRole('alert')).toHaveText(
    `Your wallet is set to ${second} now. Switch back to ${first} in your wallet, or sign in as ${second}.`,
  )
  expect(wallet.shown.slice(asked).filter(({ method }) => /sign/.test(method))).toEqual([])
  await test.step('the other account is new: it gets a name, with one signature', async () => {
    await page.getByRole('button', { name: `Sign in as ${second}` }).tap()
    await expect(page.getByText('This wallet has no account here yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Create account' }).tap()
    await page.waitForURL('**/user/home')
    expect(wallet.shown.slice(asked).filter(({ method }) => /sign/.test(method))).toHaveLength(1)
  })
})

test('a new demo wallet registers without a failed call in the console', async ({ page }) => {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await page.goto('/login/register')
  await page.getByRole('button', { name: 'Start with a demo wallet' }).tap()
  await page.waitForURL('**/user/home')
  expect(errors).toEqual([])
})
