import { globSync } from 'node:fs'
import { listMissingPackages } from './debian-packages.mjs'
import { type Counts, check, conformance, journeys, root, runSuites, unitTests } from './suites.ts'

/**
 * `npm test` checks types and lint, runs all unit tests and browser journeys, and prints which items of the
 * specification hold and one line of counts. `npm test -- transfers` runs only the test files with that word in their
 * path.
 */
async function everything(): Promise<Counts[]> {
  // With one thread, tsc needs half of the CPU time: its threads check many types again, each for itself.
  const types = check('tsc', '-b', '--singleThreaded')
  const lint = check('biome', 'check', '--error-on-warnings', '.')
  const unit = await Promise.all([types, lint, unitTests([])])
  return [...unit, await journeys([]), conformance()]
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

const words = process.argv.slice(2)
await runSuites(words.length > 0 ? only(words) : everything())
const missing = listMissingPackages()
if (missing.length > 0 && words.length === 0)
  console.log(`\nTests that need these packages of Debian or Ubuntu were left out: ${missing.join(', ')}.`)
