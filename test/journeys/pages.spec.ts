import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { findBarriers } from './barriers.ts'
import { registerMember } from './member.ts'
import { publicPages, userPages } from './page-list.ts'
import { expectStrictPolicy } from './policy.ts'
import { plant, test } from './shared-page.ts'

const phone = { width: 390, height: 844 }
const tablet = { width: 768, height: 1024 }
const desktop = { width: 1440, height: 900 }

for (const path of [...publicPages, ...userPages]) {
  test(`${path} has a title and the strict policy, fits every window, names the network, logs no errors and has no serious accessibility violations`, async ({
    page,
    request,
  }) => {
    if (path.startsWith('/user')) await plant(page, 'user', await storedMember(request))
    const complaints = listComplaints(page)
    expectStrictPolicy((await page.goto(path))?.headers())
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    // The landing page adds its sections one after another, and the footer last.
    if (path === '/') await page.getByRole('contentinfo').waitFor()
    await scrollThrough(page)
    await expect(page.locator('.animate-rest')).toHaveCount(0)
    await expect(page).toHaveTitle(/\S+ · Wellplay$/)
    for (const size of [phone, tablet, desktop]) {
      await page.setViewportSize(size)
      await nextFrames(page)
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      await expect.poll(overflow, `wider than ${size.width} px`).toBeLessThanOrEqual(0)
      await expect(page.getByText('Development chain · test money only').first()).toBeVisible()
      if (size === tablet) continue
      expect(await findBarriers(page), `${size.width} px`).toEqual([])
    }
    expect(complaints).toEqual([])
  })
}

/** One member per worker is enough, because these tests only read. */
let member: Promise<string> | undefined
function storedMember(request: APIRequestContext): Promise<string> {
  member ??= registerMember(request).then(({ account, ...user }) => JSON.stringify(user))
  return member
}

/** Scrolls through the page to trigger everything that loads lazily. */
async function scrollThrough(page: Page): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  for (let top = 0; top < height; top += 500) {
    await page.evaluate((y) => scrollTo({ top: y, behavior: 'instant' }), top)
    await nextFrames(page)
  }
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
}

const nextFrames = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

/** Uncaught exceptions and console errors. Failed requests are ignored, because the page shows those itself. */
function listComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    const isRefusedCall = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isRefusedCall) complaints.push(message.text())
  })
  return complaints
}
