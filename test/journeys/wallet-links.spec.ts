import { type APIRequestContext, type BrowserContext, expect, type Page, test } from '@playwright/test'
import { InjectedWallet } from './injected-wallet.ts'
import { post, registerMember } from './member.ts'
import { answer, developmentChain } from './money-pages.ts'
import { phone } from './phone.ts'

// Most people come by an invitation on a phone. A wallet's own browser has another storage, so it is a new context here.
test.use({ ...phone, permissions: ['clipboard-read', 'clipboard-write'] })

/** What the wallet opens for a link of ours. See wallet-apps.ts for the wallets' documentation. */
const targets: Record<string, (link: URL) => string> = {
  MetaMask: ({ pathname }) => `https://${pathname.replace('/dapp/', '')}`,
  'Trust Wallet': ({ searchParams }) => searchParams.get('url') ?? '',
  'OKX Wallet': ({ searchParams }) => new URL(searchParams.get('deeplink') ?? '').searchParams.get('dappUrl') ?? '',
}

async function sponsorOf(request: APIRequestContext) {
  const sponsor = await registerMember(request)
  const { data } = await post(request, '/api/auth/me/', {}, { Token: sponsor.token })
  return { username: sponsor.username, code: data.referral_code as string }
}

async function linkTarget(page: Page, name: string): Promise<URL> {
  const href = await page.getByRole('link', { name, exact: true }).getAttribute('href')
  return new URL(targets[name]?.(new URL(href ?? '')) ?? '')
}

const chainIdOf = async (request: APIRequestContext): Promise<number> =>
  (await (await request.get('/api/chain/')).json()).chain_id

/** Opens the page in a wallet's browser, joins with the wallet and returns who invited the new user. */
async function joinIn(context: BrowserContext, request: APIRequestContext, path: string, isLegacy: boolean) {
  const wallet = new InjectedWallet(await chainIdOf(request))
  await wallet.install(context, 'Test wallet', isLegacy)
  const page = await context.newPage()
  await page.goto(path)
  await page.getByRole('button', { name: isLegacy ? "This browser's wallet" : 'Test wallet' }).tap()
  await page.waitForURL('**/user/home')
  const { token } = JSON.parse((await page.evaluate(() => localStorage.getItem('user'))) ?? '')
  const { data } = await post(request, '/api/auth/me/', {}, { Token: token })
  expect(data.wallet_address).toBe(wallet.account.address.toLowerCase())
  return data.sponsor
}

for (const name of [...Object.keys(targets), 'Copy link'])
  test(`an invitation survives the way through a wallet's browser: ${name}`, async ({ page, browser, request }) => {
    const sponsor = await sponsorOf(request)
    await page.goto(`/referral/${sponsor.code}`)
    await test.step('it survives the landing page and a reload', async () => {
      await expect(page.getByText(`${sponsor.username} invites you`)).toBeVisible()
      await page.getByRole('link', { name: 'Wellplay, start page' }).first().tap()
      await expect(page).toHaveURL('/')
      await page.reload()
      await page.getByRole('button', { name: 'Connect', exact: true }).tap()
      await expect(page.getByText(`${sponsor.username} invites you`)).toBeVisible()
    })
    const isCopied = name === 'Copy link'
    if (isCopied) {
      await page.getByRole('button', { name }).tap()
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('')
    }
    const target = isCopied
      ? new URL(await page.evaluate(() => navigator.clipboard.readText()))
      : await linkTarget(page, name)
    expect(target.host).toBe(new URL(page.url()).host)
    expect(target.pathname).toBe(`/referral/${sponsor.code}`)
    const context = await browser.newContext(phone)
    // Wallets without EIP-6963 only set `window.ethereum`: one of the four is such a wallet.
    expect(await joinIn(context, request, target.pathname, isCopied)).toBe(sponsor.username)
    await context.close()
  })

for (const code of ['%2F%2Fevil', '%3Cimg%20src%3Dx%3E', 'A%3Furl%3Dhttps:evil', '..%2F..%2Fevil', 'A'.repeat(3_000)])
  test(`a hostile code does not change where the links lead: ${code.slice(0, 30)}`, async ({ page }) => {
    await page.goto(`/referral/${code}`)
    await expect(page.getByText("We don't know this invitation.")).toBeVisible()
    for (const name of Object.keys(targets)) {
      const { host, pathname, search } = await linkTarget(page, name)
      expect([name, host, pathname, search]).toEqual([name, new URL(page.url()).host, '/login/register', ''])
    }
  })

test.describe('on a computer', () => {
  test.use({ viewport: { width: 1440, height: 900 }, hasTouch: false, isMobile: false })

  test('a browser without a wallet shows this page as a QR code, and where to get a wallet', async ({
    page,
    request,
  }) => {
    const { username, code } = await sponsorOf(request)
    await answer(page, '/chain/', { ...developmentChain, network: 'bsc', chain_id: 56 })
    await page.goto(`/referral/${code}`)
    await expect(page.getByText(`${username} invites you`)).toBeVisible()
    await expect(page.getByRole('img', { name: 'This page, to scan with a phone' })).toBeVisible()
    await expect(page.getByText('No wallet found in this browser.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'MetaMask' })).toHaveAttribute('href', 'https://metamask.io/download')
    expect(await readQr(page)).toBe(`${new URL(page.url()).origin}/referral/${code}`)
  })
})

/** Compares the drawn squares with those of the expected text, so that what is drawn is what a camera reads. */
async function readQr(page: Page): Promise<string> {
  const { encode } = await import('uqr')
  const drawn = await page
    .getByRole('img', { name: /to scan/ })
    .locator('path')
    .getAttribute('d')
  const text = page.url()
  const squares = encode(text, { border: 0 }).data.flatMap((row, y) =>
    row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : '')),
  )
  return squares.join('') === drawn ? text : `another text than ${text}`
}
