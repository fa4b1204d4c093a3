import { expect, test } from 'vitest'
import { listFiles, read } from './files.ts'
import { invariantsInCode, listRules, missingTests, namedTests, unknownCitations } from './rules.ts'

const code = listFiles()
const rules = listRules(read('RULES.md'))
const numberOf = (label: string) => Number(label.replace(/\D/g, ''))
const byNumber = (a: string, b: string) => numberOf(a) - numberOf(b)
const listed = (kind: string) => rules.map(({ label }) => label).filter((label) => label.startsWith(kind))

test('RULES.md lists every rule and invariant once; kept ones cite a test, planned ones do not', () => {
  expect(listed('r').toSorted(byNumber)).toEqual(listed('r').map((_, at) => `r${at + 1}`))
  expect(listed('invariant')).toEqual(invariantsInCode(code).map((_, at) => `invariant ${at + 1}`))
  expect(rules.filter(({ isKept, tests }) => isKept !== tests.length > 0)).toEqual([])
})

test('the invariants have the same names in RULES.md as in the code', () => {
  expect(rules.map(({ label, name }) => ({ label, name }))).toEqual(expect.arrayContaining(invariantsInCode(code)))
})

test.each(['RULES.md', 'SECURITY.md'])('every test that %s cites exists', (page) => {
  const named = namedTests(read(page))
  expect(named.length).toBeGreaterThan(15)
  expect(missingTests(named, code)).toEqual([])
})

test('a cited test that is missing or only in a comment is reported', () => {
  const file = { path: 'a.test.ts', text: "// the 'first' one\ntest('the second one', () => {})" }
  const missing = missingTests(namedTests('`a.test.ts` "first" `a.test.ts` "second\n  one" `b.test.ts` "x"'), [file])
  expect(missing).toEqual(['a.test.ts has no test "first"', 'b.test.ts has no test "x"'])
})

test('every cited rule and invariant exists', () => {
  const pages = ['README.md', 'ARCHITECTURE.md', 'SECURITY.md', 'RULES.md'].map((path) => ({ path, text: read(path) }))
  const others = listFiles(['migrations', 'contracts', 'scripts'], /\.(?:sql|sol|mjs)$/)
  expect(unknownCitations([...code, ...pages, ...others], rules)).toEqual([])
})

test('a planted citation of an unknown number is reported', () => {
  const cite = (text: string) => unknownCitations([{ path: 'src/x.ts', text }], rules)
  expect(cite('// R21, and as invariants 22 and 23 say (R2, R3); invariants 1 to 4')).toEqual([])
  expect(cite('// R99')).toEqual(['src/x.ts: r99 is not in RULES.md'])
  expect(cite("test('Invariants 3, 40 and 5', …)")).toEqual(['src/x.ts: invariant 40 is not in RULES.md'])
  expect(cite('as law 6 says')).toEqual(['src/x.ts: law 6 — the word is "invariant"'])
})
