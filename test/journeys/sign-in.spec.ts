import { expect, test } from '@playwright/test'

test('landing → demo wallet → register with a referral code → home → reload → sign out → the token answers 401', async ({
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

  await page.goto('/')
  await expect(page.getByText('Play.').first()).toBeVisible()
  await page.goto(`/referral/${code}`)
  await expect(page.getByText(`${sponsor.username} invites you`)).toBeVisible()
  await page.getByRole('button', { name: 'Start with a demo wallet' }).click()
  await page.waitForURL('**/user/home')
  const user = await storedUser(page)
  expect(Object.keys(user).sort()).toEqual(['id', 'level', 'token', 'username', 'wallet_address'])

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
  const after = await request.post('/api/auth/me/', { headers: { Token: user.token }, data: {} })
  expect(after.status()).toBe(401)
})

test('an unknown referral code says so, and joining without one still works', async ({ page }) => {
  await page.goto('/referral/ZZZZZZZZ')
  await expect(page.getByRole('alert')).toContainText('We do not know the referral code')
})

test('a token copied to another browser reads, and changes nothing', async ({ page, request }) => {
  await page.goto('/login/register')
  await page.getByRole('button', { name: 'Start with a demo wallet' }).click()
  await page.waitForURL('**/user/home')
  const { token } = await storedUser(page)
  const read = await request.post('/api/auth/me/', { headers: { Token: token }, data: {} })
  expect(read.status()).toBe(200)
  const change = await request.post('/api/auth/logout_everywhere/', { headers: { Token: token }, data: {} })
  expect(change.status()).toBe(401)
  expect((await change.json()).code).toBe('proof_required')
})

const storedUser = (page: import('@playwright/test').Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}')) as Promise<Record<string, string>> as Promise<{
    token: string
    username: string
  }>
