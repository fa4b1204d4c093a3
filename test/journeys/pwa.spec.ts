import { expect, type Page, test } from '@playwright/test'
import { becomeMember, joinWithDemoWallet } from './member.ts'

test.use({ serviceWorkers: 'allow' })

test('the app is installable: it has a manifest, icons and a service worker', async ({ page, request }) => {
  await page.goto('/')
  const manifest = await (await request.get('/manifest.webmanifest')).json()
  expect(manifest).toMatchObject({ name: 'Wellplay', display: 'standalone', start_url: '/user/home' })
  for (const { src } of manifest.icons) expect((await request.get(src)).ok(), src).toBe(true)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
})

test('without a network the offline page is shown, and retrying works when the network is back', async ({
  page,
  context,
}) => {
  await page.goto('/')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
  await context.setOffline(true)
  await page.goto('/user/home')
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'You are offline' })).toHaveCount(0)
})

test('without a network the user area shows the last known figures with their age, until the network is back', async ({
  page,
  context,
}) => {
  await joinWithDemoWallet(page)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
  // Only pages that the service worker controls have their files kept.
  await page.reload()
  await expectFigures(page)
  await context.setOffline(true)
  const notice = page.getByRole('status').filter({ hasText: "You're offline." })
  await expect(notice).toContainText(/last known figures, up to \d+ s old/)

  await page.reload()
  await expect(notice).toContainText(/last known figures, up to \d+ s old/)
  await expectFigures(page)
  expect(await page.locator('.animate-rest').count(), 'placeholders').toBe(0)

  await test.step('a page that was never opened here says so', async () => {
    await page.getByRole('link', { name: 'Wallet' }).first().click()
    await expect(page.getByRole('heading', { name: "You're offline" })).toBeVisible()
  })
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: 'Wallet', exact: true, level: 1 })).toBeVisible()
  await expect(notice).toHaveCount(0)
})

test('kept figures belong to one user, must fit the schema, and are gone after signing out', async ({
  page,
  context,
}) => {
  const { username } = await joinWithDemoWallet(page)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
  await page.reload()
  await expectFigures(page)
  await page.evaluate(() => {
    const change = (name: string, edit: (entry: { user: string; reply: unknown }) => void) => {
      const entry = JSON.parse(localStorage.getItem(name) ?? '{}')
      edit(entry)
      localStorage.setItem(name, JSON.stringify(entry))
    }
    change('kept POST /detail/', (entry) => {
      entry.user = 'user_0190b5a0-0000-7000-8000-000000000001'
    })
    change('kept POST /timeline/', (entry) => {
      entry.reply = { data: [{ total: '1e9' }] }
    })
    localStorage.setItem('kept POST /wellness/today/', '{"cut')
  })
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByText("You're offline", { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Choose a plan' })).toHaveCount(0)
  await context.setOffline(false)
  await expectFigures(page)
  await page.getByRole('button', { name: `Profile menu of ${username}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
})

/** Waits until the figures of the home page are there and stored. */
async function expectFigures(page: Page): Promise<void> {
  await expect(page.getByRole('link', { name: 'Choose a plan' })).toBeVisible()
  await expect(page.getByText('Close one ring to start a streak.')).toBeVisible()
}

test('robots.txt disallows the user area and the API', async ({ request }) => {
  const text = await (await request.get('/robots.txt')).text()
  expect(text).toContain('Disallow: /user')
  expect(text).toContain('Disallow: /api')
})

const offerInstall = (page: Page) =>
  page.evaluate(() => {
    const event = new Event('beforeinstallprompt', { cancelable: true })
    Object.assign(event, { prompt: () => Object.assign(window, { prompted: true }) })
    dispatchEvent(event)
    return event.defaultPrevented
  })

test('the app is offered for installing on another day, not on the first, and never again once dismissed', async ({
  page,
  request,
}) => {
  await becomeMember(page, request)
  await page.goto('/user/home')
  const offer = page.getByRole('region', { name: 'Install the app' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await offerInstall(page)).toBe(true)
  await expect(page.locator('.animate-rest')).toHaveCount(0)
  await expect(offer).toHaveCount(0)

  await page.evaluate(() => localStorage.setItem('first-day', '2026-01-01'))
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await offerInstall(page)
  await offer.getByRole('button', { name: 'Install', exact: true }).click()
  expect(await page.evaluate(() => 'prompted' in window)).toBe(true)
  await expect(offer).toHaveCount(0)

  await offerInstall(page)
  await offer.getByRole('button', { name: "Don't ask again" }).click()
  await expect(offer).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await offerInstall(page)
  await expect(page.locator('.animate-rest')).toHaveCount(0)
  await expect(offer).toHaveCount(0)
})

test.describe('on an iPhone', () => {
  test.use({ userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1' })
  test('the offer says where Safari installs', async ({ page, request }) => {
    await becomeMember(page, request)
    await page.goto('/')
    await page.evaluate(() => localStorage.setItem('first-day', '2026-01-01'))
    await page.goto('/user/home')
    await expect(page.getByRole('region', { name: 'Install the app' })).toContainText('Add to Home Screen')
  })
})
