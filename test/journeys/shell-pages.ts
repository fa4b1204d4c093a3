import type { Page } from '@playwright/test'

/**
 * For tests of texts, rules and calls with made-up replies: a quarter less work for the browser. The journeys through
 * the real product run with motion and, where users would have it, with the service worker.
 */
export const still = { serviceWorkers: 'block', reducedMotion: 'reduce' } as const

/** The shell is tested without a server: every call waits for an answer that says so. */
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

/** Puts an entry into local storage once, before the first page of this test loads. */
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

/** Makes the page long enough to scroll, whatever it shows. */
export async function stretch(page: Page): Promise<void> {
  await page.locator('main').evaluate((main) => {
    main.style.minHeight = '4000px'
  })
}

/** Holds back the files whose address matches, until the returned function is called. */
export async function holdBack(page: Page, pattern: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(pattern, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}
