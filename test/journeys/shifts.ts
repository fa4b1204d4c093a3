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

const isRead = (page: Page) =>
  page.waitForFunction(() => !document.querySelector('.animate-rest'), undefined, { timeout: 60_000 })

/**
 * Waits until the page shows what it reads, then scrolls through it, as parts load when they are near. In the other order
 * the end of a page that is still short would be in view, and move when the rest arrives.
 */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await isRead(page)
  await page.evaluate(async () => {
    const frames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    await document.fonts.ready
    for (let top = 0; top < document.documentElement.scrollHeight; top += 500) {
      scrollTo({ top, behavior: 'instant' })
      await frames()
    }
    scrollTo({ top: 0, behavior: 'instant' })
    await frames()
  })
  await isRead(page)
}
