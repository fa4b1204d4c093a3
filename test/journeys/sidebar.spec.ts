import { expect, type Locator, type Page, test } from '@playwright/test'
import { signedIn, still, store } from './shell-pages.ts'

test.use(still)

const DESK = { width: 1280, height: 900 }
const sidebar = (page: Page) => page.locator('aside')
const chosen = (page: Page) => sidebar(page).locator('[data-active=true]')
const activeMenu = (page: Page) => page.evaluate(() => localStorage.getItem('activeMenu'))

async function open(page: Page, size = DESK) {
  await page.setViewportSize(size)
  await signedIn(page)
  await page.goto('/user/no-such-page')
  await sidebar(page).waitFor({ state: 'attached' })
}

test('the items appear in order with their links, and the last one is Log Out', async ({ page }) => {
  await open(page)
  const items = sidebar(page).getByRole('navigation', { name: 'Main' }).locator('a, button')
  const topUp = 'Re Top Up reinvest rewards'
  const labels = [
    'Home',
    'Daily ChallengesNew',
    'referral your team',
    'plans',
    topUp,
    'withdrawal',
    'internal Transfer',
  ]
  await expect(items).toHaveText([...labels, 'Wallet', 'Health Support', 'Log Out'])
  const addresses = await items.evaluateAll((all) => all.map((item) => item.getAttribute('href')))
  expect(addresses).toEqual([
    '/user/home',
    '/user/games2',
    '/user/referal',
    '/user/plans',
    '/user/re-top-up',
    '/user/withdrawal',
    '/user/internal-transfer',
    '/user/wallet',
    '/user/healthsupport',
    null,
  ])
})

test('games, trust and settings are below them under More', async ({ page }) => {
  await open(page)
  const more = sidebar(page).getByRole('navigation', { name: 'More' })
  await expect(more.getByRole('link')).toHaveText(['Quiz', 'Colour game', 'Trust', 'Settings'])
  for (const [name, path] of [
    ['Colour game', '/user/color-game'],
    ['Settings', '/user/profile#settings'],
    ['Quiz', '/user/quize-game'],
    ['Trust', '/trust'],
  ] as const) {
    await more.getByRole('link', { name }).click()
    await expect(page).toHaveURL(path)
  }
})

test('on a phone the bar at the bottom has Home, Play, Earn, Wallet and You', async ({ page }) => {
  await open(page, { width: 390, height: 844 })
  const bar = page.getByRole('navigation', { name: 'Quick links' })
  await expect(bar.getByRole('link')).toHaveText(['Home', 'Play', 'Earn', 'Wallet', 'You'])
  await expect(bar.locator('[aria-current]')).toHaveCount(0)
  for (const [name, path] of [
    ['Play', '/user/quize-game'],
    ['Earn', '/user/plans'],
    ['Wallet', '/user/wallet'],
    ['You', '/user/profile'],
    ['Home', '/user/home'],
  ] as const) {
    await bar.getByRole('link', { name }).click()
    await expect(page).toHaveURL(path)
    await expect(bar.locator('[aria-current=page]')).toHaveText(name)
  }
  await page.goto('/user/withdrawal-history')
  await expect(bar.locator('[aria-current=true]')).toHaveText('Wallet')
})

test('the items are shown in the spelling of the specification', async ({ page }) => {
  await open(page)
  const labels = sidebar(page).getByRole('navigation').locator('a > span, button > span')
  const changes = await labels.evaluateAll((all) =>
    all
      .flatMap((label) => [getComputedStyle(label), getComputedStyle(label, '::first-letter')])
      .map(({ textTransform }) => textTransform),
  )
  expect(new Set(changes)).toEqual(new Set(['none']))
})

test('the brand links to the landing page and the avatar to the profile', async ({ page }) => {
  await open(page)
  await expect(sidebar(page).getByRole('link', { name: 'Wellplay' })).toHaveAttribute('href', '/')
  await sidebar(page).getByRole('link', { name: 'Profile of river_otter' }).click()
  await expect(page).toHaveURL('/user/profile')
})

test('on a desktop the sidebar is 260 px wide, or 80 px when collapsed', async ({ page }) => {
  await open(page)
  const width = async () => (await sidebar(page).boundingBox())?.width
  await expect.poll(width).toBe(260)
  await page.getByRole('button', { name: 'Toggle sidebar' }).click()
  await expect.poll(width).toBe(80)
  await page.getByRole('button', { name: 'Toggle sidebar' }).click()
  await expect.poll(width).toBe(260)
})

test('at 768 px the sidebar is a drawer over a dimmed page, and a click on the backdrop closes it', async ({
  page,
}) => {
  await open(page, { width: 768, height: 900 })
  await expect(sidebar(page)).toBeHidden()
  await page.getByRole('button', { name: 'Toggle sidebar' }).click()
  await expect(sidebar(page)).toBeInViewport()
  const backdrop = page.getByRole('button', { name: 'Close sidebar' })
  const styleOf = (locator: Locator, name: 'backgroundColor' | 'transitionProperty') =>
    locator.evaluate((element, key) => getComputedStyle(element)[key], name)
  expect(await styleOf(backdrop, 'backgroundColor')).toMatch(/\/ 0\.\d+\)$|, 0\.\d+\)$/)
  expect(await styleOf(sidebar(page), 'transitionProperty')).toContain('translate')
  await backdrop.click({ position: { x: 700, y: 450 } })
  await expect(sidebar(page)).toBeHidden()
  await expect(backdrop).toHaveCount(0)
})

test('choosing an item or pressing Escape closes the drawer', async ({ page }) => {
  await open(page, { width: 390, height: 844 })
  await page.getByRole('button', { name: 'Toggle sidebar' }).click()
  await sidebar(page).getByRole('link', { name: 'Wallet' }).click()
  await expect(page).toHaveURL('/user/wallet')
  await expect(sidebar(page)).toBeHidden()
  await page.getByRole('button', { name: 'Toggle sidebar' }).click()
  await expect(sidebar(page)).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(sidebar(page)).toBeHidden()
})

test('at 769 px the sidebar is next to the page', async ({ page }) => {
  await open(page, { width: 769, height: 900 })
  await expect(sidebar(page)).toBeInViewport()
})

test('the initial active item is games; the last chosen item is remembered and restored', async ({ page }) => {
  await open(page)
  await expect(chosen(page)).toContainText('Daily Challenges')
  await sidebar(page).getByRole('link', { name: 'withdrawal' }).click()
  await expect(chosen(page)).toHaveText('withdrawal')
  expect(await activeMenu(page)).toBe('withdrawal')
  await page.goto('/user/no-such-page')
  await expect(chosen(page)).toHaveText('withdrawal')
})

test('the highlighted entry is that of the page, and a page without one highlights the remembered entry', async ({
  page,
}) => {
  await store(page, 'activeMenu', 'withdrawal')
  await open(page)
  await expect(chosen(page)).toHaveText('withdrawal')
  await page.goto('/user/plans')
  await expect(chosen(page)).toHaveText('plans')
  await page.goto('/user/color-game')
  await expect(chosen(page)).toHaveText('Colour game')
  expect(await activeMenu(page)).toBe('withdrawal')
})

for (const forged of ['', 'no-such-item', '{"a":1}', '__proto__']) {
  test(`the stored active item ${JSON.stringify(forged)} is ignored`, async ({ page }) => {
    await store(page, 'activeMenu', forged)
    await open(page)
    await expect(chosen(page)).toContainText('Daily Challenges')
  })
}

test('the Wellness Score bar is filled to 65 percent of its width until the score is known', async ({ page }) => {
  await open(page)
  const bar = sidebar(page).getByRole('progressbar', { name: 'Wellness Score' })
  await expect(sidebar(page).getByText('Wellness Score', { exact: true })).toBeVisible()
  await expect
    .poll(() => bar.evaluate((element) => (element.firstElementChild?.clientWidth ?? 0) / element.clientWidth))
    .toBeCloseTo(0.65, 2)
})

test('Log Out clears all local storage and replaces the location after 100 ms', async ({ page }) => {
  await page.goto('/')
  await open(page)
  await page.evaluate(() => localStorage.setItem('score', '12'))
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  const ended = page.waitForRequest('**/api/auth/logout/')
  await sidebar(page).getByRole('button', { name: 'Log Out' }).click()
  await ended
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  await page.clock.runFor(99)
  expect(new URL(page.url()).pathname).not.toBe('/')
  await page.clock.runFor(1)
  await expect(page).toHaveURL('/')
  await page.goBack()
  await expect(page).toHaveURL('/')
})
