import { expect, type Locator, type Page, test } from '@playwright/test'
import { findBarriers } from './barriers.ts'
import { holdBack, scrollToTop, signedIn, still, store, storedUser, stretch, withoutServer } from './shell-pages.ts'

test.use({ ...still, viewport: { width: 1280, height: 900 } })

const comingSoon = (page: Page) => page.getByRole('heading', { name: 'Coming soon' })
const UNBUILT = '/user/no-such-page'

test('a page that is still loading shows Loading...', async ({ page }) => {
  await signedIn(page)
  const release = await holdBack(page, /assets\/layout-/)
  await page.goto(UNBUILT)
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
  release()
  await expect(comingSoon(page)).toBeVisible()
})

test('while the code is still loading, the frame of Home is there and the user is greeted by name', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signedIn(page)
  const release = await holdBack(page, /assets\/(base|home-page)-/)
  await page.goto('/user/home', { waitUntil: 'commit' })
  const greeting = page.getByText(new RegExp(`^(Good|Still) \\w+, ${storedUser.username}$`))
  await expect(greeting).toBeVisible()
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
  await expect(page.getByText('Wallet', { exact: true })).toBeVisible()
  const before = await placeOf(greeting)
  release()
  await expect(page.getByRole('heading', { name: storedUser.username })).toBeVisible()
  await expect(greeting).toHaveCount(1)
  expect(await placeOf(greeting)).toEqual(before)
})

test('while the code is still loading, the colour game says what it pays back', async ({ page }) => {
  await signedIn(page)
  await holdBack(page, /assets\/(base|colour-page)-/)
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/user/color-game', { waitUntil: 'commit' })
    await expect(page.getByText('On average 96% of stakes are paid back').filter({ visible: true })).toHaveCount(1)
  }
})

test('a page that is not painted, because it is in the background, loads its code all the same', async ({ page }) => {
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => {}
  })
  await page.goto('/login/register')
  await expect(page.getByRole('button', { name: 'Start with a demo wallet' })).toBeVisible()
})

test('nothing moves on a page that was just opened, for four seconds or until it is touched', async ({ page }) => {
  const icon = page.locator('[data-floating-icon]').first()
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.clock.install()
  await page.goto('/')
  await expect(icon).toHaveCSS('animation-play-state', 'paused')
  await page.clock.runFor(4_000)
  await expect(icon).toHaveCSS('animation-play-state', 'running')
  await page.reload()
  await expect(icon).toHaveCSS('animation-play-state', 'paused')
  await page.mouse.click(5, 400)
  await expect(icon).toHaveCSS('animation-play-state', 'running')
})

/** Without the width: the title of a page is as wide as its text, and a greeting of one line is narrower than the screen. */
const placeOf = async (element: Locator) => {
  const { x, y, height } = (await element.boundingBox()) ?? {}
  return { x, y, height }
}

test('a link shows that it was chosen at once, also while its page is still loading', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signedIn(page)
  await page.goto(UNBUILT)
  const release = await holdBack(page, /assets\/wallet-page-/)
  const link = page.getByRole('navigation', { name: 'Quick links' }).getByRole('link', { name: 'Wallet' })
  await link.click()
  await expect(link).toHaveAttribute('aria-current', 'page')
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: 'Wallet' })).toBeVisible()
})

test('a page whose code was loaded as the pointer came to its link is shown without Loading...', async ({ page }) => {
  await signedIn(page)
  await page.goto(UNBUILT)
  await expect(comingSoon(page)).toBeVisible()
  const link = page.getByRole('link', { name: 'Wallet' })
  const code = page.waitForResponse(/assets\/wallet-page-/)
  await link.hover()
  const url = (await code).url()
  // Evaluated too, then: a module is imported once.
  await page.evaluate((address) => import(address), url)
  await page.evaluate(() => {
    const seen = { loading: false }
    Object.assign(window, { seen })
    new MutationObserver(() => {
      seen.loading ||= document.body.textContent.includes('Loading...')
    }).observe(document.body, { childList: true, subtree: true })
  })
  await link.click()
  await expect(page.getByRole('heading', { name: 'Wallet' })).toBeVisible()
  expect(await page.evaluate(() => Reflect.get(window, 'seen'))).toEqual({ loading: false })
})

test('an unknown path under /user is coming soon, and any other unknown path is not found', async ({ page }) => {
  await signedIn(page)
  await page.goto(UNBUILT)
  await expect(comingSoon(page)).toBeVisible()
  await expect(page).toHaveTitle('Coming soon · Wellplay')
  await page.goto('/no-such-page')
  await expect(page.getByRole('heading', { name: "We can't find this page" })).toBeVisible()
  await expect(page).toHaveTitle('Page not found · Wellplay')
})

for (const [from, to] of [
  ['/dashboard', '/user/home'],
  ['/rewards', '/user/balance'],
  ['/activity', '/user/games2'],
  ['/user', '/user/home'],
] as const) {
  test(`${from} redirects to ${to}`, async ({ page }) => {
    await signedIn(page)
    await page.goto(from)
    await expect(page).toHaveURL(to)
  })
}

test('without a stored user everything under /user redirects to the registration page', async ({ page }) => {
  await withoutServer(page)
  for (const path of ['/user', '/user/home', '/user/wallet', '/user/color-game', UNBUILT]) {
    await page.goto(path)
    await expect(page).toHaveURL('/login/register')
  }
})

for (const entry of ['', 'x', '{"token":"cut', 'null', '[]', '42', '{}', '{"token":""}', '{"token":7}']) {
  test(`the stored user ${JSON.stringify(entry)} counts as signed out and breaks nothing`, async ({ page }) => {
    await withoutServer(page)
    await store(page, 'user', entry)
    await page.goto('/user/home')
    await expect(page).toHaveURL('/login/register')
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Connect' })).toBeVisible()
  })
}

test('an old stored user with only a token still opens the user area, as a guest', async ({ page }) => {
  await signedIn(page, { token: 'a-token', level: 'many' })
  await page.goto(UNBUILT)
  await page.getByRole('button', { name: 'Profile menu' }).click()
  await expect(page.getByText('Guest', { exact: true }).first()).toBeVisible()
})

test('a new page gets the focus and starts at the top; going back restores the scroll position', async ({ page }) => {
  await signedIn(page)
  await page.goto(UNBUILT)
  await stretch(page)
  await scrollToTop(page, 600)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(600)
  await page.getByRole('link', { name: 'Wallet' }).click()
  await expect(page).toHaveURL('/user/wallet')
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await expect(page.locator('main')).toBeFocused()
  await page.goBack()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(600)
})

test('the first Tab key press focuses the link to skip to the content', async ({ page }) => {
  await signedIn(page)
  await page.goto(UNBUILT)
  await comingSoon(page).waitFor()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
})

test('loading a page does not change the stored user', async ({ page }) => {
  await signedIn(page)
  await page.goto(UNBUILT)
  await comingSoon(page).waitFor()
  expect(JSON.parse((await page.evaluate(() => localStorage.getItem('user'))) ?? '')).toEqual(storedUser)
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`open menus have no serious accessibility violations, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await signedIn(page)
    await page.goto(UNBUILT)
    await page.getByRole('button', { name: 'Profile menu' }).click()
    expect(await findBarriers(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Toggle sidebar' }).click()
    expect(await findBarriers(page)).toEqual([])
  })
