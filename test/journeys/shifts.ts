import type { Page } from '@playwright/test'

type ShiftWindow = Window & { shifts: { value: number; at: string }[] }
type LayoutShift = PerformanceEntry & {
  value: number
  hadRecentInput: boolean
  sources: { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[]
}

/** Records layout shifts in every document that the page loads from now on. Those right after a tap do not count. */
export const recordShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const shifts: ShiftWindow['shifts'] = []
    Object.assign(window, { shifts })
    const nameOf = (node: Element | null) => node?.outerHTML?.slice(0, 120) ?? node?.textContent?.slice(0, 60) ?? 'gone'
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShift[]) {
        if (entry.hadRecentInput) continue
        const moves = entry.sources.map(
          ({ node, previousRect, currentRect }) => `${previousRect.y}→${currentRect.y} ${nameOf(node)}`,
        )
        shifts.push({ value: entry.value, at: moves.join('\n') })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** The sum of all shifts since the document was loaded, and what moved. The sum is at least the page's CLS. */
export async function readShifts(page: Page): Promise<{ sum: number; moved: string[] }> {
  const shifts = await page.evaluate(() => (window as unknown as ShiftWindow).shifts)
  return { sum: shifts.reduce((sum, { value }) => sum + value, 0), moved: shifts.map(({ at }) => at) }
}

/** Makes the processor of the page this many times slower. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

/** Waits until the page shows what it reads, except for parts that it only reads when they are near. */
const isRead = (page: Page) =>
  page.waitForFunction(
    () =>
      ![...document.querySelectorAll('.animate-rest')].some((rest) => rest.getBoundingClientRect().top < innerHeight),
    undefined,
    { timeout: 60_000 },
  )

/** The title of the page itself. The landing page's first paint has an inert one, which the page replaces. */
const isOpen = (page: Page) => page.locator('h1:not([inert] *)').first().waitFor()

/** Waits until the page shows what it reads, then scrolls through it. */
export async function settle(page: Page): Promise<void> {
  await isOpen(page)
  await isRead(page)
  await scrollThrough(page)
  await isRead(page)
}

/** Scrolls through the page as soon as its title is there, like an impatient visitor, and again when it is read. */
export async function settleAtOnce(page: Page): Promise<void> {
  await isOpen(page)
  await scrollThrough(page)
  await isRead(page)
  await scrollThrough(page)
}

const scrollThrough = (page: Page) =>
  page.evaluate(async () => {
    const frames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    for (let top = 0; top < document.documentElement.scrollHeight; top += 500) {
      scrollTo({ top, behavior: 'instant' })
      await frames()
    }
    scrollTo({ top: 0, behavior: 'instant' })
    await document.fonts.ready
    await frames()
  })

/**
 * Loads the page while its reads wait for their replies, scrolls to `top` between what stands for them, and lets them arrive.
 * So everything that is read comes after the page was shown, as on a slow line.
 */
export async function readWhileShown(page: Page, path: string, top: number): Promise<void> {
  const [asked, replies] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/api/**', async (route) => {
    asked.resolve()
    await replies.promise
    await route.fallback()
  })
  await page.goto(path, { waitUntil: 'commit' })
  // A page that reads nothing is there when its code is.
  await Promise.race([asked.promise, page.waitForLoadState('networkidle')])
  await page.locator('h1:not([inert] *), main .animate-rest').first().waitFor()
  await page.evaluate(async (place) => {
    await document.fonts.ready
    scrollTo({ top: place, behavior: 'instant' })
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }, top)
  replies.resolve()
  await isOpen(page)
  await isRead(page)
  await page.unroute('**/api/**')
}
