import { expect, type Page, test } from '@playwright/test'
import { phone } from './phone.ts'

test.use(phone)

const PROJECT = '0123456789abcdef'.repeat(2)
const button = (page: Page) => page.getByRole('button', { name: 'WalletConnect' })

test('without a project of WalletConnect there is no button, and no request leaves our origin', async ({ page }) => {
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  page.on('websocket', (socket) => hosts.add(new URL(socket.url()).host))
  await page.goto('/')
  await page.goto('/login/register')
  await page.getByRole('button', { name: 'Start with a demo wallet' }).tap()
  await page.waitForURL('**/user/home')
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login/register')
  await page.getByRole('button', { name: 'Use another wallet' }).tap()
  await expect(page.getByRole('button', { name: 'Start with a demo wallet' })).toBeEnabled()
  await expect(button(page)).toHaveCount(0)
  hosts.delete('')
  expect([...hosts]).toEqual([new URL(page.url()).host])
})

test('with a project, a tap shows a code for the wallet, and giving up signs nothing in', async ({ page }) => {
  const relay = await stubRelay(page)
  await page.route('**/api/chain/', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ response: reply, json: { ...(await reply.json()), walletconnect: PROJECT } })
  })
  await page.goto('/login/register')
  await expect(button(page)).toBeVisible()
  // The library is loaded by the tap, not with the page.
  expect(relay.urls).toEqual([])
  await button(page).tap()
  const dialog = page.getByRole('dialog', { name: 'Connect your wallet' })
  await expect(dialog.getByRole('img', { name: 'Code to scan with your wallet' })).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Open a wallet on this device' })).toHaveAttribute(
    'href',
    /^wc:[0-9a-f]{64}@2\?/,
  )
  for (const url of relay.urls) expect([url.host, url.searchParams.get('projectId')]).toEqual([RELAY, PROJECT])
  await expect.poll(() => relay.methods).toContain('wc_proposeSession')
  await dialog.getByRole('button', { name: 'Close' }).tap()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('You declined in your wallet. You are not signed in.')).toBeVisible()
  await expect(button(page)).toBeVisible()
})

const RELAY = 'relay.walletconnect.org'

/** The relay cannot be reached from a test. This one accepts what the library sends, and no wallet answers. */
async function stubRelay(page: Page) {
  const urls: URL[] = []
  const methods: string[] = []
  await page.routeWebSocket(/walletconnect/, (socket) => {
    urls.push(new URL(socket.url()))
    socket.onMessage((text) => {
      const { id, method } = JSON.parse(String(text))
      if (!method) return
      methods.push(method)
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: method.includes('ubscribe') ? 'f'.repeat(64) : true }))
    })
  })
  return { urls, methods }
}
