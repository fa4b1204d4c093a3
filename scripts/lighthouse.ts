// Runs Lighthouse with phone settings on the pages that matter most: npm run lighthouse [-- url] [part of a page's name]
// Without a URL it starts the product with a temporary data folder. Lighthouse is downloaded on first use, because it
// is larger than all other packages together.
//
// Lighthouse multiplies what a page computes by 4, which makes a phone of a fast desktop. Its guide (docs/throttling.md)
// asks slower machines to use a smaller factor, so each page is loaded with 4 first, which also shows how fast this
// machine is, and then with the factor that fits it. The second is the result.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { median } from '../bench/report.ts'
import { freePort } from '../src/server/embedded/postgres.ts'
import { launchChromium } from './browser.ts'
import { productAt } from './product.ts'

const VERSION = '13.5.0'
const RUNS = 3
/** The middle of the desktops that the factor is made for, by Lighthouse's measure of a machine's speed. */
const DESKTOP = { speed: 1750, factor: 4 }
const wanted = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 95 } as const
type Category = keyof typeof wanted

type Report = {
  environment: { benchmarkIndex: number }
  categories: Record<Category, { score: number; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { score: number | null; title: string; displayValue?: string }>
}
type Lighthouse = (url: string, flags: object) => Promise<{ lhr: Report } | undefined>

/** Search engines must not list the user area, so its pages have no score for that. */
const pages = [
  { name: 'landing', path: '/', categories: Object.keys(wanted) as Category[] },
  { name: 'trust', path: '/trust', categories: Object.keys(wanted) as Category[] },
  { name: 'home', path: '/user/home', categories: ['performance', 'accessibility', 'best-practices'] },
  { name: 'colour game', path: '/user/color-game', categories: ['performance', 'accessibility', 'best-practices'] },
] satisfies { name: string; path: string; categories: Category[] }[]
type MeasuredPage = (typeof pages)[number]

const root = join(import.meta.dirname, '..')
const lighthouse = await fetchLighthouse()
const [given, only = ''] = process.argv.slice(2)
const product = await productAt(given)
try {
  for (const page of pages.filter(({ name }) => name.includes(only))) {
    const first = await measureRuns(page, DESKTOP.factor)
    const speed = Math.round(median(first.map(({ environment }) => environment.benchmarkIndex)))
    const factor = Math.min(DESKTOP.factor, Math.max(1, (DESKTOP.factor * speed) / DESKTOP.speed))
    const reports = await measureRuns(page, factor)
    console.log(`\n${page.name}, load of the machine ${loadavg()[0]?.toFixed(1)}`)
    console.log(`speed of the machine ${speed}, so a phone is ${factor.toFixed(1)} times slower`)
    console.log(`performance with ${DESKTOP.factor} times: ${scoresOf(first, 'performance').join(', ')}`)
    print(reports, page)
  }
} finally {
  await product.stop()
}

async function measureRuns(page: MeasuredPage, factor: number): Promise<Report[]> {
  const reports = []
  for (let run = 0; run < RUNS; run++) reports.push(await measure(product.url, page, factor))
  return reports
}

async function fetchLighthouse(): Promise<Lighthouse> {
  const folder = join(root, '.cache', `lighthouse-${VERSION}`)
  if (!existsSync(join(folder, 'node_modules', 'lighthouse'))) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `lighthouse@${VERSION}`]
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const entry = join(folder, 'node_modules', 'lighthouse', 'core', 'index.js')
  return ((await import(pathToFileURL(entry).href)) as { default: Lighthouse }).default
}

/** Each run starts a new browser, so nothing is cached and no service worker is installed. */
async function measure(url: string, { path, categories }: MeasuredPage, factor: number): Promise<Report> {
  const port = await freePort()
  const browser = await launchChromium(`--remote-debugging-port=${port}`)
  try {
    const isUserArea = path.startsWith('/user')
    if (isUserArea) await signIn(url, port)
    const result = await lighthouse(url + path, {
      ...{ port, logLevel: 'error', onlyCategories: categories, disableStorageReset: isUserArea },
      throttling: { cpuSlowdownMultiplier: factor },
    })
    if (!result) throw new Error('Lighthouse returned no result')
    return result.lhr
  } finally {
    await browser.close()
  }
}

/** Joins in the context that Lighthouse uses, then removes what the browser stored except the session. */
async function signIn(url: string, port: number): Promise<void> {
  const browser = await chromium.connectOverCDP(`http://localhost:${port}`)
  const page = await browser.contexts()[0]?.newPage()
  if (!page) throw new Error('The browser has no context')
  await page.goto(`${url}/login/register`)
  await page.getByRole('button', { name: 'Start with a demo wallet' }).click()
  await page.waitForURL('**/user/home')
  await page.evaluate(async () => {
    for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister()
    for (const name of await caches.keys()) await caches.delete(name)
  })
  const session = await page.context().newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await page.close()
}

function scoresOf(reports: Report[], category: Category): number[] {
  return reports.map(({ categories }) => Math.round(categories[category].score * 100)).sort((a, b) => a - b)
}

function print(reports: Report[], { categories }: MeasuredPage): void {
  for (const category of categories) {
    const atLeast = wanted[category]
    const scores = scoresOf(reports, category)
    if (median(scores) < atLeast) process.exitCode = 1
    console.log(`${category.padEnd(16)} ${String(median(scores)).padStart(4)}  ≥ ${atLeast}  (${scores.join(', ')})`)
  }
  const [first] = reports
  if (!first) return
  for (const id of [
    'first-contentful-paint',
    'largest-contentful-paint',
    'total-blocking-time',
    'cumulative-layout-shift',
  ])
    console.log(`  ${id.padEnd(26)} ${reports.map(({ audits }) => audits[id]?.displayValue).join(' · ')}`)
  const weighed = new Set(
    Object.values(first.categories).flatMap(({ auditRefs }) =>
      auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id),
    ),
  )
  for (const [id, { score, title }] of Object.entries(first.audits))
    if (weighed.has(id) && score !== null && score < 1) console.log(`  ${score.toFixed(2)} ${id}: ${title}`)
}
