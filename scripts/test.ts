import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'

/**
 * `npm test` checks types and lint, runs all unit tests and browser journeys, and prints one line of counts.
 * `npm test -- transfers` runs only the test files with that word in their path.
 */
const root = join(import.meta.dirname, '..')
const bin = join(root, 'node_modules/.bin')
const journeyData = mkdtempSync(join(tmpdir(), 'wellplay-journeys-'))
const env = {
  ...process.env,
  PATH: `${bin}${delimiter}${process.env['PATH']}`,
  JOURNEY_DATA: journeyData,
}
const [vitestReport, journeyReport] = ['.cache/vitest.json', '.cache/journeys.json']

type Counts = { passed: number; failed: number }

async function run(command: string, args: string[]): Promise<boolean> {
  console.log(`\n> ${command} ${args.join(' ')}`)
  const child = spawn(join(bin, command), args, { cwd: root, env, stdio: 'inherit' })
  const [status] = await once(child, 'close')
  return status === 0
}

/** Each check counts as one test. It runs beside the unit tests, so its output is printed when it ends. */
async function check(command: string, ...args: string[]): Promise<Counts> {
  const child = spawn(join(bin, command), args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [[status], ...output] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  console.log(`\n> ${command} ${args.join(' ')}\n${output.join('')}`)
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

function readReport(path: string): Record<string, never> | undefined {
  const file = join(root, path)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

async function unitTests(files: string[]): Promise<Counts> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]
  const ok = await run('vitest', ['run', ...reporters, ...files])
  const report = readReport(vitestReport) as { numPassedTests: number; numFailedTests: number } | undefined
  const failed = report?.numFailedTests ?? 0
  return { passed: report?.numPassedTests ?? 0, failed: ok ? failed : Math.max(1, failed) }
}

/** Selected files run alone, without the projects they depend on in a full run. */
async function journeys(files: string[]): Promise<Counts> {
  const ok = await run('playwright', ['test', ...(files.length > 0 ? ['--no-deps', ...files] : [])])
  const stats = (readReport(journeyReport) as { stats: { expected: number; unexpected: number } } | undefined)?.stats
  const failed = stats?.unexpected ?? 0
  return { passed: stats?.expected ?? 0, failed: ok ? failed : Math.max(1, failed) }
}

/** With one thread, tsc needs half of the CPU time: its threads check many types again, each for itself. */
async function everything(): Promise<Counts[]> {
  const first = await Promise.all([
    check('tsc', '-b', '--singleThreaded'),
    check('biome', 'check', '--error-on-warnings', '.'),
    unitTests([]),
  ])
  return [...first, await journeys([])]
}

async function only(words: string[]): Promise<Counts[]> {
  const find = (pattern: string) =>
    globSync(pattern, { cwd: root }).filter((path) => words.some((word) => path.includes(word)))
  const [unit, browser] = [find('{src,test}/**/*.test.{ts,tsx}'), find('test/journeys/*.spec.ts')]
  if (unit.length + browser.length === 0) {
    console.error(`No test file has "${words.join('" or "')}" in its path.`)
    return [{ passed: 0, failed: 1 }]
  }
  return [...(unit.length > 0 ? [await unitTests(unit)] : []), ...(browser.length > 0 ? [await journeys(browser)] : [])]
}

mkdirSync(join(root, '.cache'), { recursive: true })
for (const report of [vitestReport, journeyReport]) rmSync(join(root, report), { force: true })
const words = process.argv.slice(2)
const results = await (words.length > 0 ? only(words) : everything())
rmSync(journeyData, { recursive: true, force: true })
const sum = (key: keyof Counts) => results.reduce((total, counts) => total + counts[key], 0)
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') > 0 ? 1 : 0
