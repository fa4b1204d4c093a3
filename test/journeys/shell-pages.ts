import { expect, type Page } from '@playwright/test'

/**
 * For tests of texts, rules and calls with made-up replies. It saves the browser a quarter of the work. Journeys
 * through the real product run with motion, and with the service worker where users would have it.
 */
export const still = { serviceWorkers: 'block', reducedMotion: 'reduce' } as const

/** Tests the shell without a server: every call gets a 503 reply. */
export async function withoutServer(page: Page): Promise<void> {
  await page.route('**/api/**', (route) =>
    route.fulfill({
      status: 503,
      json: { status: 'error', code: 'unavailable', message: 'No server', Msg: 'No server' },
    }),
  )
}

export const storedUser = {
  token: 'a-token',
  id: 'user_0190b5a0-0000-7000-8000-000000000001',
  wallet_address: '0x55d398326f99059fF775485246999027B3197955',
  username: 'river_otter',
  level: 4,
}

/** Writes an entry to local storage once, before the first page of the test loads. */
export async function store(page: Page, key: string, value: string): Promise<void> {
  await page.addInitScript(
    ([name, text]) => {
      if (sessionStorage.getItem(`planted ${name}`)) return
      sessionStorage.setItem(`planted ${name}`, 'yes')
      localStorage.setItem(name ?? '', text ?? '')
    },
    [key, value],
  )
}

export async function signedIn(page: Page, user: object = storedUser): Promise<void> {
  await withoutServer(page)
  await store(page, 'user', JSON.stringify(user))
}

/** Makes the page long enough to scroll. While a page fades in, the browser still works with its old length. */
export async function stretch(page: Page): Promise<void> {
  await page.locator('main').evaluate((main) => {
    main.style.minHeight = '4000px'
  })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(4000)
}

export async function scrollToTop(page: Page, top: number): Promise<void> {
  await page.evaluate((y) => scrollTo({ top: y, behavior: 'instant' }), top)
}

/** Blocks requests whose URL matches until the returned function is called. */
export async function holdBack(page: Page, pattern: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(pattern, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}
