import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** What `npm test` runs: the checks, the tests of rules and routes, the journeys in a browser; then one line of counts. */
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

function run(command: string, args: string[]): boolean {
  console.log(`\n> ${command} ${args.join(' ')}`)
  return spawnSync(join(bin, command), args, { cwd: root, env, stdio: 'inherit' }).status === 0
}

function readReport(path: string): Record<string, never> | undefined {
  const file = join(root, path)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** A check is one test: it holds or it does not. */
const check = (command: string, ...args: string[]): Counts =>
  run(command, args) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }

function unitTests(): Counts {
  const ok = run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`])
  const report = readReport(vitestReport) as { numPassedTests: number; numFailedTests: number } | undefined
  const failed = report?.numFailedTests ?? 0
  return { passed: report?.numPassedTests ?? 0, failed: ok ? failed : Math.max(1, failed) }
}

function journeys(): Counts {
  const ok = run('playwright', ['test'])
  const stats = (readReport(journeyReport) as { stats: { expected: number; unexpected: number } } | undefined)?.stats
  const failed = stats?.unexpected ?? 0
  return { passed: stats?.expected ?? 0, failed: ok ? failed : Math.max(1, failed) }
}

mkdirSync(join(root, '.cache'), { recursive: true })
for (const report of [vitestReport, journeyReport]) rmSync(join(root, report), { force: true })
const results = [check('tsc', '-b'), check('biome', 'check', '--error-on-warnings', '.'), unitTests(), journeys()]
rmSync(journeyData, { recursive: true, force: true })
const sum = (key: keyof Counts) => results.reduce((total, counts) => total + counts[key], 0)
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') > 0 ? 1 : 0
