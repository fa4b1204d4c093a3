import { expect, type Page, test } from '@playwright/test'
import { holdBack, signedIn, storedUser, withoutServer } from './shell-pages.ts'

const PHONE = { width: 390, height: 844 }
test.use({ serviceWorkers: 'block' })

const DESK = { width: 1280, height: 900 }

test.beforeEach(({ page }) => withoutServer(page))

async function open(page: Page, size = DESK) {
  await page.setViewportSize(size)
  await page.goto('/')
}

test('a visitor sees the tagline, the badge, the statistics and a footer with the current year', async ({ page }) => {
  await open(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Play\.\s*Move\.\s*Feel Better\.\s*$/)
  await expect(page.getByText('New Season')).toBeVisible()
  for (const [figure, label] of [
    ['50K+', 'players'],
    ['1M+', 'workouts'],
    ['500+', 'challenges'],
  ]) {
    const statistic = page.locator('dl > div').filter({ hasText: figure ?? '' })
    await expect(statistic).toContainText(label ?? '')
  }
  const footer = page.locator('footer')
  await expect(footer).toContainText(String(new Date().getFullYear()))
  await expect(footer).toContainText('Wellness through play.')
})

test('four cards describe activity, nutrition, challenges and mindfulness', async ({ page }) => {
  await open(page)
  const cards = page.locator('#features article')
  await expect(cards).toHaveCount(4)
  for (const [title, words] of [
    ['Activity', /points for steps and workouts/i],
    ['Nutrition', /rewards for healthy choices/i],
    ['Challenges', /compete with friends/i],
    ['Mindfulness', /meditation exercises/i],
  ] as const) {
    await expect(cards.filter({ has: page.getByRole('heading', { name: title }) })).toContainText(words)
  }
})

test('Connect opens the registration page first, then shows a shortened address and toggles a banner', async ({
  page,
}) => {
  await open(page)
  const header = page.locator('header')
  await expect(header.getByRole('link', { name: 'Wellplay' })).toHaveAttribute('href', '/')
  await header.getByRole('button', { name: 'Connect' }).click()
  await expect(page).toHaveURL('/login/register')
  await page.goBack()
  const connected = header.getByRole('button', { name: /^0x\w{4}\.\.\.\w{4}$/ })
  await expect(connected).toBeVisible()
  await expect(header.getByRole('status')).toHaveCount(0)
  await connected.click()
  await expect(header.getByRole('status')).toBeVisible()
  await connected.click()
  await expect(header.getByRole('status')).toHaveCount(0)
  await expect(page).toHaveURL('/')
})

test('a signed-in visitor sees their shortened address', async ({ page }) => {
  await signedIn(page)
  await open(page)
  await expect(page.getByRole('button', { name: '0x55d3...7955' })).toBeVisible()
  expect(storedUser.wallet_address.startsWith('0x55d3')).toBe(true)
})

test('on a phone a toggle opens a nav with Home, Games, Tournaments and Marketplace', async ({ page }) => {
  await open(page, PHONE)
  await expect(page.getByRole('navigation', { name: 'Menu' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Open menu' }).click()
  const links = page.getByRole('navigation', { name: 'Menu' }).getByRole('link')
  await expect(links).toHaveText(['Home', 'Games', 'Tournaments', 'Marketplace'])
  await links.filter({ hasText: 'Marketplace' }).click()
  await expect(page.locator('#marketplace')).toBeInViewport()
  await expect(page.getByRole('navigation', { name: 'Menu' })).toHaveCount(0)
})

test('Start Playing sends an anonymous visitor to the registration page', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: 'Start Playing' }).click()
  await expect(page).toHaveURL('/login/register')
})

test('Start Playing takes a signed-in user to /user/home', async ({ page }) => {
  await signedIn(page)
  await open(page)
  await page.getByRole('button', { name: 'Start Playing' }).click()
  await expect(page).toHaveURL('/user/home')
})

test('Track scrolls to the features', async ({ page }) => {
  await open(page)
  await expect(page.locator('#features h2')).not.toBeInViewport()
  await page.getByRole('button', { name: 'Track' }).click()
  await expect(page.locator('#features h2')).toBeInViewport()
})

test('on a phone the floating menu lists its sections, Sign Up and Login', async ({ page }) => {
  await open(page, PHONE)
  await page.getByRole('button', { name: 'Open floating menu' }).click()
  const links = page.getByRole('navigation', { name: 'Floating menu' }).getByRole('link')
  await expect(links).toHaveText(['Home', 'Features', 'Challenges', 'Progress'])
  await expect(page.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login/register')
  await page.getByRole('link', { name: 'Sign Up' }).click()
  await expect(page).toHaveURL('/login/register')
})

test('the floating menu is hidden when the full navigation is shown', async ({ page }) => {
  await open(page, { width: 769, height: 900 })
  await expect(page.getByRole('button', { name: 'Open floating menu' })).toBeHidden()
})

test('the first text is readable before the app has loaded', async ({ page }) => {
  const release = await holdBack(page, /assets\/.*\.js/)
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.getByText('Start Playing')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start Playing' })).toHaveCount(0)
  release()
  await expect(page.getByRole('button', { name: 'Start Playing' })).toBeVisible()
  await expect(page.getByText('Start Playing')).toHaveCount(1)
})

test('a pulsing placeholder is shown until the illustration has loaded', async ({ page }) => {
  const release = await holdBack(page, /hero-illustration/)
  await open(page)
  const placeholder = page.locator('[data-placeholder]')
  await expect(placeholder).toBeVisible()
  expect(await placeholder.evaluate((element) => getComputedStyle(element).animationName)).toBe('pulse')
  release()
  await expect(page.getByRole('img', { name: /runner/ })).toBeVisible()
  await expect(placeholder).toHaveCount(0)
})

for (const [width, count] of [
  [390, 8],
  [768, 8],
  [769, 15],
] as const) {
  test(`a window ${width} px wide has ${count} floating icons`, async ({ page }) => {
    await open(page, { width, height: 900 })
    await expect(page.locator('[data-floating-icon]')).toHaveCount(count)
  })
}

test('a visitor can take three shots without signing in', async ({ page }) => {
  await open(page)
  await page.locator('#games').scrollIntoViewIfNeeded()
  const shoot = (name: string) => page.getByRole('button', { name }).dispatchEvent('click')
  await shoot('Blinking less')
  await expect(page.getByText('Not that one. Try another.')).toBeVisible()
  await shoot('Looking far away')
  await shoot('10 minutes')
  await shoot('A long, slow out-breath')
  await expect(page.locator('#games').getByText('2/3')).toBeVisible()
})
