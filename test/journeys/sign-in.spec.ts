import { expect, test } from '@playwright/test'

test('invitation → landing → demo wallet → register → home → reload → sign out → the token gets 401', async ({
  page,
  browser,
  request,
}) => {
  const sponsorPage = await (await browser.newContext()).newPage()
  await sponsorPage.goto('/login/register')
  await sponsorPage.getByRole('button', { name: 'Start with a demo wallet' }).click()
  await sponsorPage.waitForURL('**/user/home')
  const sponsor = await storedUser(sponsorPage)
  const me = await request.post('/api/auth/me/', { headers: { Token: sponsor.token }, data: {} })
  const code: string = (await me.json()).data.referral_code

  await page.goto(`/referral/${code}`)
  const invitation = page.getByText(`${sponsor.username} invites you`)
  await expect(invitation).toBeVisible()
  await test.step('the invitation still counts for a visitor who looks at the landing page and reloads it', async () => {
    await page.getByRole('link', { name: 'Wellplay, start page' }).first().click()
    await expect(page.getByText('Play.').first()).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: 'Connect' }).first().click()
    await expect(page).toHaveURL('/login/register')
    await expect(invitation).toBeVisible()
    await page.getByRole('button', { name: 'Change' }).click()
    await expect(page.getByLabel('Referral code')).toHaveValue(code)
  })
  await page.getByRole('button', { name: 'Start with a demo wallet' }).click()
  await page.waitForURL('**/user/home')
  const user = await storedUser(page)
  expect(Object.keys(user)).toEqual(['token', 'id', 'wallet_address', 'username', 'level'])
  expect(await page.evaluate(() => localStorage.getItem('referral'))).toBeNull()

  await page.reload()
  await expect(page).toHaveURL(/\/user\/home$/)
  expect((await storedUser(page)).token).toBe(user.token)

  await page
    .getByRole('button', { name: new RegExp(user.username) })
    .first()
    .click()
  await page
    .getByRole('menuitem', { name: 'Sign out' })
    .or(page.getByRole('button', { name: 'Sign out' }))
    .first()
    .click()
  await page.waitForURL((url) => url.pathname === '/')
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  // The page leaves without waiting for the server's answer, so the token ends a moment later.
  const status = async () =>
    (await request.post('/api/auth/me/', { headers: { Token: user.token }, data: {} })).status()
  await expect.poll(status).toBe(401)
})

test('an unknown referral code shows an error, and the visitor can join without one', async ({ page }) => {
  await page.goto('/referral/ZZZZZZZZ')
  const field = page.getByLabel('Referral code')
  await expect(field).toHaveAccessibleDescription(/^We couldn't find the referral code/)
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Referral code').fill('')
  await page.getByRole('button', { name: 'Start with a demo wallet' }).click()
  await page.waitForURL('**/user/home')
})

test('a token copied to another browser can read but change nothing', async ({ page, request }) => {
  await page.goto('/login/register')
  await page.getByRole('button', { name: 'Start with a demo wallet' }).click()
  await page.waitForURL('**/user/home')
  const { token } = await storedUser(page)
  const read = await request.post('/api/auth/me/', { headers: { Token: token }, data: {} })
  expect(read.status()).toBe(200)
  const source = 'wallet'
  const order = { amount: '10', fee: '0.5', source, nonce: 'ab'.repeat(16), deadline: 4_000_000_000, signature: '0xab' }
  const changes: [path: string, body: object][] = [
    ['/auth/logout_everywhere/', {}],
    ['/withdraw_request/', order],
    ['/internal_transfer/', { to_user: 'somebody', amount: '1', source }],
    ['/place-bet/', { amount: '1', color: 'green' }],
    ['/betwallet/', { direction: 'deposit', amount: '1', source }],
  ]
  for (const [path, data] of changes) {
    const change = await request.post(`/api${path}`, { headers: { Token: token }, data })
    expect([path, change.status(), (await change.json()).code]).toEqual([path, 401, 'proof_required'])
  }
})

test('an intercepted proof works for no other request and cannot be replayed', async ({ page, request }) => {
  await page.goto('/login/register')
  await page.getByRole('button', { name: 'Start with a demo wallet' }).click()
  await page.waitForURL('**/user/home')
  const { token } = await storedUser(page)
  const path = '/api/referral_privacy/'
  const send = async (dpop: string, body: string | null) => {
    const headers = { Token: token, DPoP: dpop, 'content-type': 'application/json' }
    return (await request.post(path, { headers, data: Buffer.from(body ?? '') })).status()
  }
  let before = 0
  await page.route(`**${path}`, async (route) => {
    before = await send((await route.request().headerValue('dpop')) ?? '', '{"hide":true}')
    await route.continue()
  })
  await page.goto('/user/profile')
  const [reply] = await Promise.all([
    page.waitForResponse(`**${path}`),
    page.getByRole('switch', { name: 'Show my figures to my upline' }).click(),
  ])
  expect([before, reply.status()]).toEqual([401, 200])
  const sent = reply.request()
  expect(await send((await sent.headerValue('dpop')) ?? '', sent.postData())).toBe(401)
})

const storedUser = (page: import('@playwright/test').Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}')) as Promise<Record<string, string>> as Promise<{
    token: string
    username: string
  }>
