// Measures every page like a slow phone does: 390 px wide, taps, the processor four times slower. For each page the layout
// shift (CLS), read calmly and scrolled at once, and the longest time from a tap to the next frame (INP):
//   npm run bench:web-vitals [-- url of a running product] [part of the paths to include]
import { loadavg } from 'node:os'
import type { Page } from '@playwright/test'
import { launchChromium } from '../scripts/browser.ts'
import { productAt } from '../scripts/product.ts'
import { publicPages, userPages } from '../test/journeys/page-list.ts'
import { buyOnChain, FINAL_MS } from '../test/journeys/plan-purchase.ts'
import { readShifts, recordShifts, settle, settleAtOnce, slowDown } from '../test/journeys/shifts.ts'
import { type Row, report } from './report.ts'

const CPU_RATE = 4
const CLS_MAX = 0.05
const INP_MS_MAX = 200
const TAPS_MAX = 6

const [given, only = ''] = process.argv.slice(2)
const product = await productAt(given)
const browser = await launchChromium()
try {
  const page = await (
    await browser.newContext({
      baseURL: product.url,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      serviceWorkers: 'block',
    })
  ).newPage()
  await recordShifts(page)
  await recordTaps(page)
  const rows: Row[] = []
  for (const path of publicPages.filter(isIncluded)) rows.push(...(await measure(page, path)))
  await page.goto('/login/register')
  await page.getByRole('button', { name: 'Start with a demo wallet' }).tap()
  await page.waitForURL('**/user/home')
  await giveHistory(page)
  for (const path of userPages.filter(isIncluded)) rows.push(...(await measure(page, path)))
  console.log(`Load of the machine: ${loadavg()[0]?.toFixed(1)}`)
  report(rows)
} finally {
  await browser.close()
  await product.stop()
}

function isIncluded(path: string): boolean {
  return path.includes(only)
}

async function measure(page: Page, path: string): Promise<Row[]> {
  await slowDown(page, CPU_RATE)
  const atOnce = await shiftOf(page, path, settleAtOnce)
  const calmly = await shiftOf(page, path, settle)
  await tapAround(page)
  const inp = await page.evaluate(() => (window as unknown as { longestTap: number }).longestTap)
  await slowDown(page, 1)
  return [
    { name: `${path} CLS`, ratio: calmly, atMost: CLS_MAX },
    { name: `${path} CLS, scrolled at once`, ratio: atOnce, atMost: CLS_MAX },
    { name: `${path} INP ms`, ratio: inp, atMost: INP_MS_MAX },
  ]
}

/** Gives the account some history: a plan, a closed ring, and a bet paid from the wallet. */
async function giveHistory(page: Page): Promise<void> {
  await buyOnChain(page, 'Starter', '10')
  await page.getByText('Your plan has started').waitFor({ timeout: FINAL_MS })
  await page.goto('/user/games2')
  await page.getByRole('button', { name: 'Log activity' }).tap()
  await page.getByLabel('How many steps?').fill('12000')
  await page.getByRole('dialog').getByRole('button', { name: /^Add/ }).tap()
  await page.goto('/user/color-game')
  await page.getByRole('button', { name: /^Bet [\d.]+ USDT on green$/ }).tap({ timeout: FINAL_MS })
  await page.getByRole('button', { name: /^Add [\d.]+ USDT and bet$/ }).tap()
  await page.getByRole('region', { name: 'Your bets' }).locator('tbody tr').waitFor({ timeout: FINAL_MS })
}

async function shiftOf(page: Page, path: string, scroll: (page: Page) => Promise<void>): Promise<number> {
  await page.goto(path, { waitUntil: 'commit' })
  await scroll(page)
  const { sum, moved } = await readShifts(page)
  if (sum > CLS_MAX) console.log(`${path} moved (${scroll.name}):\n${moved.join('\n')}\n`)
  return sum
}

/** Taps what changes only the page: tabs, switches of views, and menus. Nothing that is sent to the server. */
async function tapAround(page: Page): Promise<void> {
  const harmless = page.locator('[role=tab], summary, [aria-haspopup], [aria-label="Toggle sidebar"]')
  for (const target of (await harmless.all()).slice(0, TAPS_MAX)) {
    await target.tap({ timeout: 3_000 }).catch(() => undefined)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    await page.keyboard.press('Escape')
  }
}

/** The longest event of an interaction, from the input to the next frame. Durations are multiples of 8 ms. */
function recordTaps(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const here = window as unknown as { longestTap: number }
    here.longestTap = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
        if (entry.interactionId > 0) here.longestTap = Math.max(here.longestTap, entry.duration)
    }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
  })
}
