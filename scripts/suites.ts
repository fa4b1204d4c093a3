import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describeResults, journeyResults, type Result, unitResults } from '../test/conformance/report.ts'
import { specification } from '../test/conformance/specification.ts'

export const root = join(import.meta.dirname, '..')
const bin = join(root, 'node_modules/.bin')
const journeyData = mkdtempSync(join(tmpdir(), 'wellplay-journeys-'))
const env = {
  ...process.env,
  PATH: `${bin}${delimiter}${process.env['PATH']}`,
  JOURNEY_DATA: journeyData,
}
const [vitestReport, journeyReport] = ['.cache/vitest.json', '.cache/journeys.json']

export type Counts = { passed: number; failed: number }

mkdirSync(join(root, '.cache'), { recursive: true })
for (const report of [vitestReport, journeyReport]) rmSync(join(root, report), { force: true })

/** Prints one line of counts when the suites have ended, and sets the exit code. */
export async function runSuites(suites: Promise<Counts[]>): Promise<void> {
  const counts = await suites
  rmSync(journeyData, { recursive: true, force: true })
  const sum = (key: keyof Counts) => counts.reduce((total, suite) => total + suite[key], 0)
  // Named again at the end, because a long log is often read from there.
  for (const { path, name, why } of results().filter(({ isPassed }) => !isPassed))
    console.log(`did not pass: ${path} "${name}"\n${why}`)
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
  process.exitCode = sum('failed') > 0 ? 1 : 0
}

async function run(command: string, args: string[]): Promise<boolean> {
  console.log(`\n> ${command} ${args.join(' ')}`)
  const child = spawn(join(bin, command), args, { cwd: root, env, stdio: 'inherit' })
  const [status] = await once(child, 'close')
  return status === 0
}

function readReport<Report>(path: string): Report | undefined {
  const file = join(root, path)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** Each check counts as one test. It runs beside the unit tests, so its output is printed when it ends. */
export async function check(command: string, ...args: string[]): Promise<Counts> {
  const child = spawn(join(bin, command), args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [[status], ...output] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  console.log(`\n> ${command} ${args.join(' ')}\n${output.join('')}`)
  return countOne(status === 0)
}

const countOne = (isPassed: boolean): Counts => ({ passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1 })

type UnitReport = Parameters<typeof unitResults>[0] & { numPassedTests: number; numFailedTests: number }
type JourneyReport = { suites: Parameters<typeof journeyResults>[0]; stats: { expected: number; unexpected: number } }

export async function unitTests(files: string[]): Promise<Counts> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]
  const ok = await run('vitest', ['run', ...reporters, ...files])
  const report = readReport<UnitReport>(vitestReport)
  const failed = report?.numFailedTests ?? 0
  return { passed: report?.numPassedTests ?? 0, failed: ok ? failed : Math.max(1, failed) }
}

/** Selected files run alone, without the projects they depend on in a full run. */
export async function journeys(args: string[]): Promise<Counts> {
  const ok = await run('playwright', ['test', ...(args.length > 0 ? ['--no-deps', ...args] : [])])
  const stats = readReport<JourneyReport>(journeyReport)?.stats
  const failed = stats?.unexpected ?? 0
  return { passed: stats?.expected ?? 0, failed: ok ? failed : Math.max(1, failed) }
}

/** Prints which items of the specification hold, by the tests that just ran. Counts as one test. */
export function conformance(): Counts {
  const { lines, broken } = describeResults(specification, results())
  console.log(`\n${lines.join('\n')}`)
  return countOne(broken === 0)
}

/** The tests that just ran. */
function results(): Result[] {
  const unit = readReport<UnitReport>(vitestReport)
  const browser = readReport<JourneyReport>(journeyReport)
  return [...(unit ? unitResults(unit, root) : []), ...(browser ? journeyResults(browser.suites) : [])]
}
