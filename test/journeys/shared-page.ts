import { test as base, type Page } from '@playwright/test'
import { still } from './shell-pages.ts'

const size = { width: 1280, height: 900 }

/**
 * One page for all tests of a worker, because a new one for each test makes the browser work twice as much. Each test
 * loads the app again, with empty storage and without the routes and listeners of the test before.
 */
export const test = base.extend<object, { workerPage: Page }>({
  workerPage: [
    async ({ browser }, use, { project }) => {
      const { baseURL = '' } = project.use
      const page = await browser.newPage({ ...still, baseURL, viewport: size })
      await use(page)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.context().close()
    },
    { scope: 'worker' },
  ],
  page: async ({ workerPage }, use) => {
    await reset(workerPage)
    await use(workerPage)
  },
})

async function reset(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const event of ['console', 'pageerror'] as const) page.removeAllListeners(event)
  await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme: 'light' })
  // A document of our origin without the app, which could write to the storage while it is cleared.
  await page.goto('/healthz')
  await page.evaluate(async () => {
    localStorage.clear()
    sessionStorage.clear()
    for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name)
  })
}

/** Writes an entry to local storage before the test loads the app. */
export const plant = (page: Page, key: string, value: string): Promise<void> =>
  page.evaluate(([name, text]) => localStorage.setItem(name, text), [key, value] as const)
