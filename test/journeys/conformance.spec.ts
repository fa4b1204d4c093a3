import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, type Request, test } from '@playwright/test'
import { becomeMember, registerMember } from './member.ts'
import { answer, openWith, recordNotices, refusal } from './money-pages.ts'
import { still } from './shell-pages.ts'

// What the specification says about pages and no other journey checks. test/conformance lists all of its items.
test.use({ ...still, viewport: { width: 1280, height: 900 } })

const main = (page: Page) => page.locator('main')
const heading = (page: Page) => main(page).getByRole('heading', { level: 1 })

/** The pages of the user area: path, title in the browser's tab, and heading. */
const userPages: [path: string, title: string, heading: string | RegExp][] = [
  ['/user/home', 'Home', /player_/],
  ['/user/games2', 'Daily Challenges', 'Daily Challenges'],
  ['/user/quize-game', 'Quiz', 'Quiz'],
  ['/user/profile', 'Profile', /player_/],
  ['/user/referal', 'Referral', 'Your team'],
  ['/user/plans', 'Plans', 'Plans'],
  ['/user/re-top-up', 'Re Top Up', 'Re Top Up'],
  ['/user/re-top-up-history', 'Re-Rop-Up History', 'Re-Rop-Up History'],
  ['/user/withdrawal', 'Withdrawal', 'Withdrawal'],
  ['/user/internal-transfer', 'Internal Transfer', 'Internal Transfer'],
  ['/user/wallet', 'Wallet', 'Wallet'],
  ['/user/balance', 'Balance', 'Balance'],
  ['/user/withdrawal-history', 'Withdrawal history', 'Withdrawal history'],
  ['/user/internal-transfer-history', 'Internal Transfer history', 'Internal Transfer history'],
  ['/user/color-game', 'Colour game', 'Colour game'],
  ['/user/healthsupport', 'Health Support', 'Health Support'],
]

/** Goes to a path without loading the document again. */
const goTo = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, path)

test('every path under /user opens its page, loaded on the first visit, and every call is JSON with the token', async ({
  page,
  request,
}) => {
  const { token } = await becomeMember(page, request)
  const sent: Request[] = []
  page.on('request', (one) => sent.push(one))
  const scripts = () => sent.filter((one) => one.resourceType() === 'script').length
  await page.goto('/user/anything')
  await expect(heading(page)).toHaveText('Coming soon')
  for (const [path, title, words] of userPages) {
    const before = scripts()
    await goTo(page, path)
    await expect(page).toHaveTitle(`${title} · Wellplay`)
    await expect(heading(page)).toHaveText(words)
    expect(scripts(), path).toBeGreaterThan(before)
    await expect(page.getByRole('button', { name: 'Toggle sidebar' })).toBeVisible()
    await expect(page.locator('aside')).toBeVisible()
  }
  // Reads of the chain are for the node, which knows no token.
  const calls = sent.filter((one) => one.resourceType() === 'fetch' && !one.url().endsWith('/api/rpc/'))
  expect(calls.length).toBeGreaterThan(30)
  for (const call of calls) {
    expect(new URL(call.url()).pathname).toMatch(/^\/api\//)
    expect(await call.headerValue('token'), call.url()).toBe(token)
    if (call.method() === 'POST') expect(await call.headerValue('content-type')).toBe('application/json')
  }
})

test('/login/register registers, and /referral/{referralCode} does so with an invitation', async ({
  page,
  request,
}) => {
  const sponsor = await registerMember(request)
  const me = await request.post('/api/auth/me/', { headers: { Token: sponsor.token }, data: {} })
  await page.goto('/login/register')
  await expect(heading(page)).toHaveText('Join Wellplay')
  await page.getByRole('button', { name: 'Change' }).click()
  await expect(page.getByLabel('Username')).toBeVisible()
  await page.goto(`/referral/${(await me.json()).data.referral_code}`)
  await expect(page.getByText(`${sponsor.username} invites you`)).toBeVisible()
  await expect(heading(page)).toHaveText('Join Wellplay')
})

test('starting a game sends the token in the body, and its score is kept in local storage', async ({
  page,
  request,
}) => {
  const { token } = await becomeMember(page, request)
  await page.goto('/user/quize-game')
  const started = page.waitForRequest('**/api/game/start/')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  expect((await started).postDataJSON()).toEqual({ token })
  await expect.poll(() => page.evaluate(() => localStorage.getItem('score'))).toBe('0')
})

const BALANCE_OF = '0x70a08231'

test('balances on chain come from balanceOf: USDT in four characters, JW scaled by 1e10, and JWC', async ({
  page,
  request,
}) => {
  const { wallet_address } = await becomeMember(page, request)
  const { tokens } = await (await request.get('/api/chain/')).json()
  const units = new Map([
    [tokens.usdt.address, 4_990_960_000_000_000_000_000n],
    [tokens.jw.address, 12_345_678_900_000n],
    [tokens.jwc.address, 2_500_000_000_000_000_000n],
  ])
  const readOf: string[] = []
  await page.route('**/api/rpc/', (route) => {
    const { id, params } = route.request().postDataJSON()
    const { to, data = '' } = params[0] ?? {}
    if (data.startsWith(BALANCE_OF)) readOf.push(data.slice(-40))
    const result = `0x${(units.get(to) ?? 0n).toString(16).padStart(64, '0')}`
    return route.fulfill({ json: { jsonrpc: '2.0', id, result } })
  })
  await page.goto('/user/wallet')
  const shown = (token: string) => page.locator(`[data-token="${token}"]`)
  await expect(shown('usdt').getByText('4990', { exact: true })).toBeVisible()
  await expect(shown('jw').getByText('1,234.5678', { exact: true })).toBeVisible()
  await expect(shown('jwc').getByText('2.5000', { exact: true })).toBeVisible()
  expect(new Set(readOf)).toEqual(new Set([wallet_address.slice(2).toLowerCase()]))
})

test('a balance that cannot be read is logged and unknown, not zero', async ({ page, request }) => {
  await becomeMember(page, request)
  const logged: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text())
  })
  await page.route('**/api/rpc/', (route) => route.fulfill({ status: 503, json: refusal('unavailable', 'No node') }))
  await page.goto('/user/wallet')
  for (const token of ['usdt', 'jw', 'jwc']) {
    await expect(page.locator(`[data-token="${token}"]`)).toContainText('unknown')
    expect(logged.filter((text) => text.startsWith(`could not read the ${token} balance`))).not.toEqual([])
  }
})

test('a list that fails says why in a notice, and shows the message of the server or a default', async ({
  page,
  request,
}) => {
  await becomeMember(page, request)
  const notices = await recordNotices(page)
  for (const [message, shown, notice] of [
    ['The list is being sorted', 'The list is being sorted', 'Backend error: The list is being sorted'],
    ['', 'Failed to fetch referral history. Please try again.', 'Backend error: Unknown error occurred'],
  ] as const) {
    await answer(page, '/Referral_history/', refusal('invalid_input', message), 400)
    await page.goto('/user/referal')
    await page.getByRole('tab', { name: 'Rewards', exact: true }).click()
    await expect(main(page).getByText(shown, { exact: true })).toBeVisible()
    await expect.poll(notices).toContain(notice)
  }
})

test('a success is shown for 2 s and an error for 4 s', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  await openWith(page, '/user/re-top-up')
  await answer(page, '/gamebuyplan/', refusal('invalid_input', 'Not today'), 400)
  await page.getByLabel('Amount', { exact: true }).fill('50')
  await page.clock.pauseAt(Date.now() + 60_000)
  const isShownFor = async (text: string, milliseconds: number) => {
    await expect(page.getByText(text)).toBeVisible()
    await page.clock.runFor(milliseconds - 1)
    await expect(page.getByText(text)).toBeVisible()
    await page.clock.runFor(1)
    await expect(page.getByText(text)).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Copy wallet address' }).click()
  await isShownFor('Address copied to clipboard!', 2_000)
  await main(page).getByRole('button', { name: 'Re Top Up' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await isShownFor('Not today', 4_000)
})

test('the market price service answers update_market_price/ at its own address with Current_Jw_MKT_Price', async ({
  request,
}) => {
  const settings = readFileSync(join(process.env['JOURNEY_DATA'] ?? '', 'settings.json'), 'utf8')
  const { MARKET_URL } = JSON.parse(settings) as { MARKET_URL: string }
  const price = async () => (await request.post(`${MARKET_URL}/update_market_price/`, { data: {} })).json()
  await expect.poll(async () => (await price()).Current_Jw_MKT_Price).toMatch(/^\d+(\.\d+)?$/)
  expect((await request.post('/api/update_market_price/', { data: {} })).status()).toBe(404)
})
