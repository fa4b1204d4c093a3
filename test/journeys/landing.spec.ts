import { expect, type Locator, type Page, test } from '@playwright/test'
import { answer } from './money-pages.ts'
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
  await answer(page, '/wellness/community/', { data: { players: 1234, workouts: 56, challenges: 0 } })
  await open(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Play. Move. Feel Better.')
  await expect(page.getByText('New Season', { exact: true })).toBeVisible()
  const goals = page.getByRole('region', { name: 'Season goals' })
  for (const [figure, label, reached] of [
    ['50K+', 'players', '1,234 so far'],
    ['1M+', 'workouts', '56 so far'],
    ['500+', 'challenges', '0 so far'],
  ] as const) {
    const statistic = goals.locator('dl > div').filter({ hasText: figure })
    await expect(statistic.locator('dt')).toHaveText(label)
    await expect(statistic.locator('dd').first()).toHaveText(figure)
    await expect(statistic).toContainText(reached)
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
    await expect(cards.filter({ has: page.getByRole('heading', { name: title, exact: true }) })).toContainText(words)
  }
})

test('without a server the goals are shown, without made-up numbers beside them', async ({ page }) => {
  await open(page)
  const goals = page.getByRole('region', { name: 'Season goals' })
  await expect(goals).toContainText('50K+')
  await expect(goals).not.toContainText('so far')
})

test('Connect opens the registration page, and a visitor who comes back sees Connect again', async ({ page }) => {
  await open(page)
  const header = page.locator('header')
  await expect(header.getByRole('link', { name: 'Wellplay' })).toHaveAttribute('href', '/')
  await header.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page).toHaveURL('/login/register')
  await page.goBack()
  await expect(header.getByRole('button', { name: 'Connect', exact: true })).toBeVisible()
})

test('a visitor who goes back before the registration page has loaded sees Connect again', async ({ page }) => {
  await open(page)
  const release = await holdBack(page, /assets\/providers-/)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page).toHaveURL('/login/register')
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible()
  release()
})

test('the first click flips Connect to a shortened placeholder and opens the registration page', async ({ page }) => {
  await open(page)
  const button = page.locator('header').getByRole('button', { name: 'Connect', exact: true })
  // The placeholder is replaced as soon as the registration page opens, so it is recorded.
  await button.evaluate((element) => {
    const said: string[] = []
    Object.assign(window, { said })
    new MutationObserver(() => said.push(element.textContent ?? '')).observe(element, {
      characterData: true,
      childList: true,
      subtree: true,
    })
  })
  await button.click()
  await expect(page).toHaveURL('/login/register')
  expect(await page.evaluate(() => (window as unknown as { said: string[] }).said)).toContain('0x0000...0000')
})

test('a signed-in user sees their shortened address, and later clicks toggle a banner', async ({ page }) => {
  await signedIn(page)
  await open(page)
  const header = page.locator('header')
  const connected = header.getByRole('button', { name: '0x55d3...7955' })
  expect(storedUser.wallet_address.startsWith('0x55d3')).toBe(true)
  await connected.click()
  await expect(header.getByRole('status')).toContainText('Signed in as river_otter')
  await connected.click()
  await expect(header.getByRole('status')).toHaveCount(0)
  await expect(page).toHaveURL('/')
})

test('a signed-in user is greeted and gets back into the app with one tap', async ({ page }) => {
  await open(page, PHONE)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Welcome back')).toHaveCount(0)
  await signedIn(page)
  await page.reload()
  await expect(page.getByText('Welcome back, river_otter!')).toBeVisible()
  await page.getByRole('link', { name: 'Back to the app' }).click()
  await expect(page).toHaveURL('/user/home')
})

test('for a signed-in user Games, Tournaments and Marketplace lead to games, leaderboards and plans', async ({
  page,
}) => {
  await signedIn(page)
  await open(page)
  const links = page.getByRole('navigation', { name: 'Sections' })
  for (const [name, path] of [
    ['Games', '/user/quize-game'],
    ['Tournaments', '/user/quize-game#leaderboard'],
    ['Marketplace', '/user/plans'],
  ] as const)
    await expect(links.getByRole('link', { name })).toHaveAttribute('href', path)
  await page.setViewportSize({ width: 1280, height: 500 })
  await links.getByRole('link', { name: 'Tournaments' }).click()
  await expect(page.getByRole('heading', { name: 'Leaderboard' })).toBeInViewport()
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

test('a link to a section leaves the page mounted', async ({ page }) => {
  await open(page)
  const title = await page.locator('main h1').elementHandle()
  await page.getByRole('banner').getByRole('link', { name: 'Marketplace' }).click()
  await expect(page).toHaveURL('/#marketplace')
  await expect(page.locator('#marketplace')).toBeInViewport()
  expect(await title?.evaluate(({ isConnected }) => isConnected)).toBe(true)
})

test('Start Playing sends an anonymous visitor to the registration page', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: 'Start Playing', exact: true }).click()
  await expect(page).toHaveURL('/login/register')
})

test('Start Playing takes a signed-in user to /user/home', async ({ page }) => {
  await signedIn(page)
  await open(page)
  await page.getByRole('button', { name: 'Start Playing', exact: true }).click()
  await expect(page).toHaveURL('/user/home')
})

test('Track scrolls to the features', async ({ page }) => {
  await open(page)
  const features = page.locator('#features h2')
  await expect(features).toBeAttached()
  await expect(features).not.toBeInViewport()
  await page.getByRole('button', { name: 'Track', exact: true }).click()
  await expect(features).toBeInViewport()
})

test('Track scrolls to the features when they arrive, if it was tapped before', async ({ page }) => {
  const release = await holdBack(page, /assets\/rest-/)
  await open(page)
  const features = page.locator('#features h2')
  await page.getByRole('button', { name: 'Track', exact: true }).click()
  await expect(features).toHaveCount(0)
  release()
  await expect(features).toBeInViewport()
})

test('a section of the floating menu that loads late is scrolled to when it arrives, also after another tap', async ({
  page,
}) => {
  await page.clock.install()
  const release = await holdBack(page, /assets\/rest-/)
  await open(page, PHONE)
  await page.getByRole('button', { name: 'Open floating menu' }).click()
  await page.getByRole('link', { name: 'Challenges' }).click()
  await page.getByRole('heading', { level: 1 }).click()
  // A slow network.
  await page.clock.runFor(60_000)
  const challenges = page.locator('#challenges h2')
  await expect(challenges).toHaveCount(0)
  release()
  await expect(challenges).toBeInViewport()
})

test('an address with a malformed hash opens the page', async ({ page }) => {
  await page.goto('/#%')
  await expect(page.getByRole('button', { name: 'Start Playing', exact: true })).toBeVisible()
})

test('on a phone the floating menu lists its sections, Sign Up and Login', async ({ page }) => {
  await open(page, PHONE)
  await page.getByRole('button', { name: 'Open floating menu' }).click()
  const links = page.getByRole('navigation', { name: 'Floating menu' }).getByRole('link')
  await expect(links).toHaveText(['Home', 'Features', 'Challenges', 'Progress'])
  await expect(page.getByRole('link', { name: 'Login', exact: true })).toHaveAttribute('href', '/login/register')
  await page.getByRole('link', { name: 'Sign Up', exact: true }).click()
  await expect(page).toHaveURL('/login/register')
})

test('on a phone one menu is open at a time', async ({ page }) => {
  await open(page, PHONE)
  const [header, floating] = ['Menu', 'Floating menu'].map((name) =>
    page.getByRole('navigation', { name, exact: true }),
  )
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('button', { name: 'Open floating menu' }).click()
  await expect(floating as Locator).toBeVisible()
  await expect(header as Locator).toHaveCount(0)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(header as Locator).toBeVisible()
  await expect(floating as Locator).toHaveCount(0)
})

test('the hero shows the running round and the latest draws, and leads to the game', async ({ page }) => {
  await page.unrouteAll()
  await open(page, PHONE)
  const live = page.locator('#home').getByRole('link', { name: /Join with free chips/ })
  await expect(live).toContainText(/Round \d+ is open|opens in a moment/, { timeout: 60_000 })
  await live.click()
  await expect(page).toHaveURL('/play/colour')
})

test('the floating menu is hidden when the full navigation is shown', async ({ page }) => {
  await open(page, { width: 769, height: 900 })
  await expect(page.getByRole('button', { name: 'Open floating menu' })).toBeHidden()
})

test('the first text is readable before the app has loaded', async ({ page }) => {
  const release = await holdBack(page, /assets\/.*\.js/)
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.getByText('Start Playing')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start Playing', exact: true })).toHaveCount(0)
  release()
  await expect(page.getByRole('button', { name: 'Start Playing', exact: true })).toBeVisible()
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

test('two cards lead to games that need no account', async ({ page }) => {
  await open(page)
  await page.locator('#games').scrollIntoViewIfNeeded()
  const link = (name: string) => page.locator('#games').getByRole('link', { name })
  await expect(link('Try the colour game')).toHaveAttribute('href', '/play/colour')
  await expect(link('Try the quiz')).toHaveAttribute('href', '/play/quiz')
})
