import type { Part } from '../conformance/item.ts'
import { numbered } from '../conformance/specification.ts'
import type { SourceFile } from './files.ts'
import { missingTests, type NamedTest } from './rules.ts'

/** Items without a test, items that are there twice, cited tests that do not exist, and tests that no item cites. */
export function findConformanceProblems(parts: Part[], own: SourceFile[], all: SourceFile[]): string[] {
  const items = numbered(parts).flatMap((part) => part.items)
  const cited = items.flatMap(({ checkedBy }) => checkedBy)
  return [
    ...items.filter(({ checkedBy }) => checkedBy.length === 0).map(({ id }) => `${id} has no test`),
    ...items
      .filter(({ says }, at) => items.findIndex((item) => item.says === says) !== at)
      .map(({ id, says }) => `${id} is there twice: ${says}`),
    ...new Set(missingTests(cited, all)),
    ...own
      .flatMap(testsOf)
      .filter((test) => !cited.some(({ path, name }) => test.path === path && test.name.includes(name)))
      .map(({ path, name }) => `no item cites ${path} "${name}"`),
  ]
}

/** The titles of the tests in a file. The table of calls has one in each row. */
const testsOf = ({ path, text }: SourceFile): NamedTest[] =>
  [...text.matchAll(/(?:\btest\(|\brow:)\s*(['"`])(.+?)\1/g)].map(([, , name = '']) => ({ path, name }))
