import { expect, type Page, test } from '@playwright/test'
import { openWith, recordNotices } from './money-pages.ts'
import { scrollToTop, signedIn, still, stretch, withoutServer } from './shell-pages.ts'

test.use({ ...still, viewport: { width: 1280, height: 900 } })

async function open(page: Page) {
  await signedIn(page)
  await page.goto('/user/no-such-page')
  await page.locator('header').waitFor()
}

const header = (page: Page) => page.locator('header')

test('the header hides when scrolling down past 100 px and returns when scrolling up', async ({ page }) => {
  await open(page)
  await stretch(page)
  await scrollToTop(page, 100)
  await expect(header(page)).toBeInViewport()
  await expect(header(page)).toHaveAttribute('data-hidden', 'false')
  await scrollToTop(page, 101)
  await expect(header(page)).not.toBeInViewport()
  await scrollToTop(page, 900)
  await expect(header(page)).not.toBeInViewport()
  await scrollToTop(page, 890)
  await expect(header(page)).toBeInViewport()
})

for (const width of [360, 390])
  test(`a balance of seven digits leaves room for the profile menu, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 740 })
    await openWith(page, '/user/no-such-page', { planreward: '9888777.66', planreff: '0' })
    await expect(header(page).getByRole('link', { name: /^Rewards 9,888,777/ })).toBeVisible()
    await expect(header(page).getByRole('button', { name: /^Profile menu/ })).toBeInViewport({ ratio: 1 })
  })

test('the logo and name link to the landing page, and shortcuts link to dashboard, rewards and activity', async ({
  page,
}) => {
  await open(page)
  await expect(header(page).getByRole('link', { name: 'Wellplay' })).toHaveAttribute('href', '/')
  for (const [name, path] of [
    ['Home', '/dashboard'],
    ['Balance', '/rewards'],
    ['Daily Challenges', '/activity'],
  ] as const)
    await expect(header(page).getByRole('link', { name, exact: true })).toHaveAttribute('href', path)
})

test('at 768 px the shortcuts are in the header', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 })
  await open(page)
  for (const name of ['Home', 'Balance', 'Daily Challenges'])
    await expect(header(page).getByRole('navigation', { name: 'Shortcuts' }).getByRole('link', { name })).toBeVisible()
  await header(page).getByRole('link', { name: 'Daily Challenges' }).click()
  await expect(page).toHaveURL('/user/games2')
})

test('on a phone the shortcuts are in the profile menu', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page)
  for (const [name, path] of [
    ['Home', '/user/home'],
    ['Balance', '/user/balance'],
    ['Daily Challenges', '/user/games2'],
  ] as const) {
    await page.getByRole('button', { name: 'Profile menu' }).click()
    await page.getByRole('menuitem', { name }).click()
    await expect(page).toHaveURL(path)
  }
})

test('the balance chip says that it shows rewards, and opens /user/balance', async ({ page }) => {
  await open(page)
  const chip = header(page).getByRole('link', { name: /^Rewards .*USDT$/ })
  await expect(chip).toHaveAttribute('title', 'Rewards: your daily and referral rewards')
  await chip.click()
  await expect(page).toHaveURL('/user/balance')
})

test('the refresh button reloads the page, then shows Page refreshed !', async ({ page }) => {
  const notices = await recordNotices(page)
  await open(page)
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Refresh page' }).click()
  await loaded
  await expect.poll(notices).toContain('Page refreshed !')
  await page.reload()
  await header(page).waitFor()
  await expect(page.getByText('Page refreshed !', { exact: true })).toHaveCount(0)
})

test('a notification appears at the top centre, at most 350 px wide, and disappears after two seconds', async ({
  page,
}) => {
  await open(page)
  await page.clock.install()
  await page.getByRole('button', { name: 'Refresh page' }).click()
  const toast = page.getByText('Page refreshed !', { exact: true }).locator('..')
  await expect(toast).toBeVisible()
  const box = (await toast.boundingBox()) ?? { x: 0, y: 999, width: 999 }
  expect(box.width).toBeLessThanOrEqual(350)
  expect(box.y).toBeLessThan(100)
  expect(Math.abs(box.x + box.width / 2 - 640)).toBeLessThan(10)
  await page.clock.runFor(2_000)
  await expect(toast).toHaveCount(0)
})

test('the profile menu shows the username and level, links to the profile and closes when the mouse leaves', async ({
  page,
}) => {
  await open(page)
  await page.getByRole('button', { name: 'Profile menu' }).click()
  await expect(header(page).getByText('river_otter')).toBeVisible()
  await expect(header(page).getByText('Level 4')).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'My Profile', exact: true })).toHaveAttribute('href', '/user/profile')
  await page.mouse.move(300, 700)
  await expect(page.getByRole('menu')).toHaveCount(0)
})

test('the profile menu works with the keyboard only', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: 'Profile menu' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'My Profile', exact: true })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Sign out', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Profile menu' })).toBeFocused()
})

test('Sign out clears local storage, revokes the token and goes to the landing page', async ({ page }) => {
  await open(page)
  const ended = page.waitForRequest('**/api/auth/logout/')
  await page.getByRole('button', { name: 'Profile menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  await expect(page).toHaveURL('/')
  expect(await (await ended).headerValue('token')).toBe('a-token')
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
})

test('the header and sidebar appear only under /user', async ({ page }) => {
  await withoutServer(page)
  for (const path of ['/', '/login/register', '/no-such-page']) {
    await page.goto(path)
    await page.locator('main').waitFor()
    await expect(page.locator('aside')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Toggle sidebar' })).toHaveCount(0)
  }
})
