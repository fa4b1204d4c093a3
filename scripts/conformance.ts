import { specification } from '../test/conformance/specification.ts'
import { type Counts, conformance, journeys, runSuites, unitTests } from './suites.ts'

/** `npm run conformance` runs only the tests that items of the specification cite, and prints which items hold. */
const cited = specification.flatMap(({ items }) => items).flatMap(({ checkedBy }) => checkedBy)
const filesOf = (ending: string) => [...new Set(cited.map(({ path }) => path).filter((path) => path.endsWith(ending)))]
const patternOf = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
const titles = [...new Set(cited.filter(({ path }) => path.endsWith('.spec.ts')).map(({ name }) => patternOf(name)))]

async function citedTests(): Promise<Counts[]> {
  const unit = await unitTests([...filesOf('.test.ts'), 'test/tidy/conformance.test.ts'])
  const browser = await journeys([...filesOf('.spec.ts'), '--grep', titles.join('|')])
  return [unit, browser, conformance()]
}

await runSuites(citedTests())
