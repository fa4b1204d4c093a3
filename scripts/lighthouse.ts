// Runs Lighthouse with phone settings on the landing page of the built app: npm run lighthouse [-- url]
// Without a URL it starts the product with a temporary data folder. Lighthouse is downloaded on first use, because it
// is larger than all other packages together.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { freePort } from '../src/server/embedded/postgres.ts'
import { launchChromium } from './browser.ts'

const VERSION = '13.5.0'
const RUNS = 3
const START_SECONDS_MAX = 240
const wanted = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 95 } as const
type Category = keyof typeof wanted

type Report = {
  categories: Record<Category, { score: number; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { score: number | null; title: string; displayValue?: string }>
}
type Lighthouse = (url: string, flags: object) => Promise<{ lhr: Report } | undefined>

const root = join(import.meta.dirname, '..')
const lighthouse = await fetchLighthouse()
const given = process.argv[2]
const product = given ? { url: given, stop: async () => {} } : await startProduct()
try {
  const reports = []
  for (let run = 0; run < RUNS; run++) reports.push(await measure(product.url))
  print(reports)
} finally {
  await product.stop()
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

async function startProduct() {
  const [port, data] = [await freePort(), mkdtempSync(join(tmpdir(), 'wellplay-lighthouse-'))]
  const url = `http://localhost:${port}`
  const env = { ...process.env, PORT: String(port), DATA_DIR: join(data, 'data') }
  const child = spawn(process.execPath, ['src/server/main.ts', 'up'], { cwd: root, env, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for (let second = 0; ; second++) {
    if (
      await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break
    if (second > START_SECONDS_MAX || child.exitCode !== null) throw new Error('The product did not start')
    await sleep(1_000)
  }
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** Each run starts a new browser, so nothing is cached and no service worker is installed. */
async function measure(url: string): Promise<Report> {
  const port = await freePort()
  const browser = await launchChromium(`--remote-debugging-port=${port}`)
  try {
    const result = await lighthouse(`${url}/`, { port, logLevel: 'error', onlyCategories: Object.keys(wanted) })
    if (!result) throw new Error('Lighthouse returned no result')
    return result.lhr
  } finally {
    await browser.close()
  }
}

function print(reports: Report[]): void {
  for (const [category, atLeast] of Object.entries(wanted) as [Category, number][]) {
    const scores = reports.map(({ categories }) => Math.round(categories[category].score * 100)).sort((a, b) => a - b)
    const median = scores[Math.floor(scores.length / 2)] ?? 0
    if (median < atLeast) process.exitCode = 1
    console.log(`${category.padEnd(16)} ${String(median).padStart(4)}  ≥ ${atLeast}  (${scores.join(', ')})`)
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
