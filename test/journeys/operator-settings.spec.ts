import { expect, type Page, test } from '@playwright/test'
import { launchOptions } from '../../scripts/browser.ts'
import { findBarriers } from './barriers.ts'
import { joinWithDemoWallet } from './member.ts'
import { startOwnApi } from './own-api.ts'
import { watchViolations } from './policy.ts'

/** What visitors see of settings that the tested product does not have. One API has all of them. */
const PROJECT = '0123456789abcdef'.repeat(2)
let api: Awaited<ReturnType<typeof startOwnApi>>
test.beforeAll(async () => {
  api = await startOwnApi({
    ...{ BLOCKED_COUNTRIES: 'US,KP', COUNTRY_HEADER: 'CF-IPCountry', MINIMUM_AGE: '21' },
    WALLETCONNECT_PROJECT_ID: PROJECT,
  })
})
test.afterAll(() => api.stop())
test.describe.configure({ mode: 'default' })
test.use({
  serviceWorkers: 'block',
  // The hosts of WalletConnect are not found, also on a machine that could reach them.
  launchOptions: {
    ...launchOptions,
    args: [...launchOptions.args, '--host-resolver-rules=MAP *.walletconnect.org ~NOTFOUND'],
  },
})

const reasonOf = (country: string) =>
  `Bets and plans are not available in your country (${country}). You can still withdraw, transfer and export your data.`

/** Plans, re top ups and bets say why they are not offered. Withdrawals are. */
async function expectBlocked(page: Page, country: string): Promise<void> {
  const main = page.locator('main')
  for (const path of ['plans', 're-top-up', 'color-game']) {
    await page.goto(`${api.url}/user/${path}`)
    await expect(main.getByText(reasonOf(country)), path).toBeVisible()
    await expect(main.getByRole('button', { name: /^(I'm 21\+ · )?(Buy|Bet) / }), path).toHaveCount(0)
    await expect(main.getByLabel('Country you live in'), path).toHaveCount(0)
  }
  await expect(main.getByRole('button', { name: 'Betting is closed' })).toBeDisabled()
  await page.goto(`${api.url}/user/withdrawal`)
  await expect(page.getByLabel('Amount', { exact: true })).toBeEnabled()
  await expect(main.getByText(reasonOf(country))).toHaveCount(0)
}

const join = (page: Page) => joinWithDemoWallet(page, `${api.url}/login/register`)

test('a visitor from a blocked country reads why plans and bets are not offered, and can withdraw', async ({
  page,
}) => {
  // What the operator's proxy adds to every request.
  await page.setExtraHTTPHeaders({ 'cf-ipcountry': 'KP' })
  await join(page)
  await expectBlocked(page, 'KP')
})

test('a user who declares a blocked country while buying pays nothing and reads why', async ({ page }) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (/eth_send|gamebuyplan/.test(`${request.url()} ${request.postData()}`)) sent.push(request.url())
  })
  await join(page)
  await page.goto(`${api.url}/user/plans`)
  await page.getByRole('button', { name: 'Buy Starter' }).click()
  const sheet = page.getByRole('dialog', { name: 'Buy Starter' })
  const pay = sheet.getByRole('button', { name: "I'm 21+ · Pay 10 USDT" })
  await expect(pay).toBeDisabled()
  await sheet.getByLabel('Country you live in').selectOption('United States')
  await pay.click()
  await expect(page.locator('main').getByText(reasonOf('US'))).toBeVisible()
  await expect(sheet).toHaveCount(0)
  await expectBlocked(page, 'US')
  expect(sent).toEqual([])
})

const RELAY = 'relay.walletconnect.org'
const VERIFY = 'verify.walletconnect.org'
const button = (page: Page) => page.getByRole('button', { name: 'WalletConnect' })

test('with a project of WalletConnect, a tap asks its relay and no other host, as the policy allows', async ({
  page,
}) => {
  const [violations, sockets, hosts] = [await watchViolations(page), [] as URL[], new Set<string>()]
  page.on('websocket', (socket) => sockets.push(new URL(socket.url())))
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  const headers = (await page.goto(`${api.url}/login/register`))?.headers()
  expect(headers?.['content-security-policy']?.split(';')).toEqual(
    expect.arrayContaining([`connect-src 'self' wss://${RELAY}`, `frame-src https://${VERIFY}`, "script-src 'self'"]),
  )
  await expect(button(page)).toBeVisible()
  // The library is loaded by the tap, not with the page.
  expect(sockets).toEqual([])
  await button(page).click()
  await expect.poll(() => sockets.length).toBeGreaterThan(0)
  for (const url of sockets)
    expect([url.protocol, url.host, url.searchParams.get('projectId')]).toEqual(['wss:', RELAY, PROJECT])
  hosts.delete(VERIFY)
  hosts.delete('')
  expect([...hosts]).toEqual([new URL(api.url).host])
  expect(violations).toEqual([])
  // The policy is enforced on sockets: another host of the same owner is refused.
  await page.evaluate(() => void new WebSocket('wss://relay.walletconnect.com'))
  await expect.poll(() => violations.join()).toBe('connect-src wss://relay.walletconnect.com/')
  // The relay is not found: the wait ends, and the user can choose again.
  await expect(page.getByText('WalletConnect cannot be reached. Try again, or use another wallet.')).toBeVisible()
  await expect(button(page)).toBeEnabled()
})

test('with a project, a tap shows a code for the wallet, and giving up signs nothing in', async ({ page }) => {
  const violations = await watchViolations(page)
  const frames = new Set<string>()
  page.on('request', (request) => {
    if (request.frame() !== page.mainFrame()) frames.add(new URL(request.url()).host)
  })
  const methods = await stubRelay(page)
  await page.goto(`${api.url}/login/register`)
  await button(page).click()
  const dialog = page.getByRole('dialog', { name: 'Connect your wallet' })
  await expect(dialog.getByRole('img', { name: 'Code to scan with your wallet' })).toBeVisible()
  expect(await findBarriers(page)).toEqual([])
  await expect(dialog.getByRole('link', { name: 'Open a wallet on this device' })).toHaveAttribute(
    'href',
    /^wc:[0-9a-f]{64}@2\?/,
  )
  await expect.poll(() => methods).toContain('wc_proposeSession')
  await expect.poll(() => [...frames]).toEqual([VERIFY])
  expect(violations).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('You declined in your wallet. You are not signed in.')).toBeVisible()
  await expect(button(page)).toBeVisible()
})

/** The relay cannot be reached from a test. This one accepts what the library sends, and no wallet answers. */
async function stubRelay(page: Page): Promise<string[]> {
  const methods: string[] = []
  await page.routeWebSocket(/walletconnect/, (socket) =>
    socket.onMessage((text) => {
      const { id, method } = JSON.parse(String(text))
      if (!method) return
      methods.push(method)
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: method.includes('ubscribe') ? 'f'.repeat(64) : true }))
    }),
  )
  return methods
}
