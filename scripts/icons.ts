// Draws the PNG icons from icon.svg, and the preview image for shared links from the landing page, into src/web/public.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { build, preview } from 'vite'
import { launchChromium } from './browser.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'src/web/public')
const svg = readFileSync(join(folder, 'icon.svg'), 'utf8')

const icons = [
  { name: 'icon-180.png', size: 180, full: true },
  { name: 'icon-192.png', size: 192, full: false },
  { name: 'icon-512.png', size: 512, full: false },
  { name: 'icon-maskable.png', size: 512, full: true },
]

/** `full` fills the square to its corners, because phones crop the icon to their own shape. */
async function drawIcon(browser: Browser, { name, size, full }: (typeof icons)[number]): Promise<void> {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  const drawing = full ? svg.replace('rx="18"', '').replace('viewBox="0 0 64 64"', 'viewBox="-4 -4 72 72"') : svg
  const ground = full ? '#10231c' : 'transparent'
  await page.setContent(`<body style="margin:0;background:${ground}">${drawing}`)
  await page.screenshot({ path: join(folder, name), omitBackground: !full })
  await page.close()
}

async function drawSharedPicture(browser: Browser): Promise<void> {
  const configFile = join(root, 'vite.config.ts')
  const outDir = join(root, '.cache/icons-build')
  await build({ configFile, logLevel: 'error', build: { outDir } })
  const server = await preview({ configFile, build: { outDir }, preview: { port: 0 } })
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 }, reducedMotion: 'reduce' })
  await page.goto(server.resolvedUrls?.local[0] ?? '')
  await page.getByRole('img', { name: /runner/ }).waitFor()
  await page.waitForTimeout(500)
  await page.screenshot({ path: join(folder, 'og.png') })
  await server.close()
}

const browser = await launchChromium()
for (const icon of icons) await drawIcon(browser, icon)
await drawSharedPicture(browser)
await browser.close()
console.log(`Icons written to ${folder}`)
