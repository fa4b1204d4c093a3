import { stripVTControlCharacters } from 'node:util'
import type { NamedTest } from '../tidy/rules.ts'
import type { Item, Part } from './item.ts'
import { numbered } from './specification.ts'

/** A test that ran. `why` is how the message of its failure begins. */
export type Result = NamedTest & { isPassed: boolean; why: string }

/** One line per part, then a line for each item that does not hold, and their number. */
export function describeResults(parts: Part[], results: Result[]): { lines: string[]; broken: number } {
  const judged = numbered(parts).map(({ part, items }) => ({
    part,
    items: items.map((item) => ({ ...item, problems: problemsOf(item, results) })),
  }))
  const all = judged.flatMap(({ items }) => items)
  const holding = (items: typeof all) => items.filter(({ problems }) => problems.length === 0).length
  const count = (items: typeof all) => `${holding(items)} of ${items.length} hold`
  return {
    lines: [
      ...judged.map(({ part, items }) => `Section ${part.section} · ${part.title} · ${count(items)}`),
      `Specification · ${count(all)}`,
      ...all.flatMap(({ id, says, problems }) => problems.map((problem) => `  ${id} ${says} — ${problem}`)),
    ],
    broken: all.length - holding(all),
  }
}

/** Why an item does not hold: a test that it cites failed or did not run. */
const problemsOf = ({ checkedBy }: Item, results: Result[]): string[] =>
  checkedBy.flatMap(({ path, name }) => {
    const ran = results.filter((result) => result.path === path && result.name.includes(name))
    if (ran.length === 0) return [`did not run: ${path} "${name}"`]
    return ran.filter(({ isPassed }) => !isPassed).map((failed) => `failed: ${path} "${failed.name}"`)
  })

const WHY_LINES = 8
const beginningOf = (messages: (string | undefined)[]): string =>
  stripVTControlCharacters(messages.join('\n')).split('\n').slice(0, WHY_LINES).join('\n')

type UnitTest = { fullName: string; status: string; failureMessages: string[] }
type UnitReport = { testResults: { name: string; assertionResults: UnitTest[] }[] }

/** The tests in a JSON report of vitest, with paths relative to the repository. */
export const unitResults = ({ testResults }: UnitReport, root: string): Result[] =>
  testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages }) => ({
      path: file.replace(`${root}/`, ''),
      name: fullName,
      isPassed: status === 'passed',
      why: beginningOf(failureMessages),
    })),
  )

type Spec = { file: string; title: string; ok: boolean; tests: { results: { error?: { message?: string } }[] }[] }
type Suite = { specs: Spec[]; suites?: Suite[] }

/** The tests in a JSON report of Playwright. */
export const journeyResults = (suites: Suite[]): Result[] =>
  suites.flatMap(({ specs, suites: inner = [] }) => [
    ...specs.map(({ file, title, ok, tests }) => ({
      path: `test/journeys/${file}`,
      name: title,
      isPassed: ok,
      why: beginningOf(tests.flatMap(({ results }) => results.map(({ error }) => error?.message))),
    })),
    ...journeyResults(inner),
  ])
