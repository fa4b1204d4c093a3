import { expect, test } from 'vitest'
import type { Item } from '../conformance/item.ts'
import { describeResults } from '../conformance/report.ts'
import { specification } from '../conformance/specification.ts'
import { findConformanceProblems } from './conformance.ts'
import { listFiles } from './files.ts'

const files = listFiles()
const own = files.filter(({ path }) => /^test\/(conformance\/.+\.test|journeys\/conformance\.spec)\.ts$/.test(path))

test('every item of the specification has a test, and every conformance test an item', () => {
  expect(own).toHaveLength(3)
  expect(findConformanceProblems(specification, own, files)).toEqual([])
})

test('a planted item without a test, twice or with a missing test, and a test without an item are reported', () => {
  const file = { path: 'a.test.ts', text: "test('first', …)\ntest(\n  'second', …)\n{ row: 'third', … }" }
  const planted = (...items: Item[]) =>
    findConformanceProblems([{ section: 3, title: 'Entities', items }], [file], [file])
  const cite = (...names: string[]) => names.map((name) => ({ path: 'a.test.ts', name }))
  const whole = { says: 'All of it.', checkedBy: cite('first', 'second', 'third') }
  expect(planted(whole)).toEqual([])
  expect(planted(whole, { says: 'A field.', checkedBy: [] })).toEqual(['3.2 has no test'])
  expect(planted(whole, whole)).toEqual(['3.2 is there twice: All of it.'])
  expect(planted({ ...whole, checkedBy: cite('first', 'third', 'fourth') })).toEqual([
    'a.test.ts has no test "fourth"',
    'no item cites a.test.ts "second"',
  ])
})

test('an item holds only if every test that it cites ran and passed', () => {
  const cite = (name: string) => [{ path: 'a.test.ts', name }]
  const items = ['passes', 'fails', 'never runs'].map((name) => ({ says: `It ${name}.`, checkedBy: cite(name) }))
  const ran = (name: string, isPassed: boolean) => ({ path: 'a.test.ts', name, isPassed, why: '' })
  const results = [ran('the test that passes', true), ran('one that fails', false), ran('a copy that fails', true)]
  const { lines, broken } = describeResults([{ section: 3, title: 'Entities', items }], results)
  expect(broken).toBe(2)
  expect(lines).toEqual([
    'Section 3 · Entities · 1 of 3 hold',
    'Specification · 1 of 3 hold',
    '  3.2 It fails. — failed: a.test.ts "one that fails"',
    '  3.3 It never runs. — did not run: a.test.ts "never runs"',
  ])
})
