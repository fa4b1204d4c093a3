// Saves screenshots of every page at three widths, light and dark, to screenshots/. The product must be running:
//   node scripts/screenshots.ts [url, default http://localhost:3000] [part of the page names to include]
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { launchChromium } from './browser.ts'

const [url = 'http://localhost:3000', only = ''] = process.argv.slice(2)
const folder = join(import.meta.dirname, '../screenshots')

const publicPages = { landing: '/', register: '/login/register', 'not-found': '/no-such-page', trust: '/trust' }
const userPages = [
  ...['home', 'games2', 'quize-game', 'profile', 'referal', 'plans', 're-top-up', 're-top-up-history', 'withdrawal'],
  ...['internal-transfer', 'wallet', 'balance', 'withdrawal-history', 'internal-transfer-history', 'color-game'],
  ...['healthsupport', 'coming-soon'],
]
const pages: [name: string, path: string][] = [
  ...Object.entries(publicPages),
  ...userPages.map((name): [string, string] => [name, `/user/${name}`]),
]
const widths = [390, 768, 1440]

const browser = await launchChromium()
mkdirSync(folder, { recursive: true })
const options = { baseURL: url, reducedMotion: 'reduce', serviceWorkers: 'block' } as const
const visitorPage = await (await browser.newContext(options)).newPage()
const memberPage = await (await browser.newContext(options)).newPage()
await signIn(memberPage)
for (const colorScheme of ['light', 'dark'] as const)
  for (const width of widths) {
    for (const [name, path] of pages.filter(([name]) => name.includes(only)))
      await shoot(path.startsWith('/user') ? memberPage : visitorPage, path, { name, width, colorScheme })
    console.log(`${width} px, ${colorScheme}: done`)
  }
await browser.close()

type Shot = { name: string; width: number; colorScheme: 'light' | 'dark' }

async function shoot(page: Page, path: string, { name, width, colorScheme }: Shot): Promise<void> {
  await page.setViewportSize({ width, height: width < 500 ? 844 : 900 })
  await page.emulateMedia({ colorScheme })
  await page.goto(path)
  await settle(page)
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (tooWide > 0) console.error(`${name} ${width}: ${tooWide} px wider than the window`)
  await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true })
}

/** Scrolls through the page, so that everything that appears on scroll is visible. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ timeout: 15_000 })
  await page
    .waitForFunction(() => !document.querySelector('.animate-rest'), undefined, { timeout: 4_000 })
    .catch(() => {})
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  for (let top = 0; top < height; top += 600) {
    await page.evaluate((y) => scrollTo({ top: y, behavior: 'instant' }), top)
    await page.waitForTimeout(60)
  }
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await page.waitForTimeout(400)
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/login/register')
  await page.getByRole('button', { name: 'Start with a demo wallet' }).click()
  await page.waitForURL('**/user/home')
}
