import type { SourceFile } from './files.ts'

export type Rule = { label: string; name: string; isKept: boolean; tests: NamedTest[] }
export type NamedTest = { path: string; name: string }

/** The entries of RULES.md: R1, R2 … and invariant 1, invariant 2 … */
export function listRules(text: string): Rule[] {
  const [kept = '', planned = ''] = text.split('## Not yet kept')
  return [...entriesOf(kept, true), ...entriesOf(planned, false)]
}

const entriesOf = (text: string, isKept: boolean): Rule[] =>
  text.split(/^- |^\s*$/m).flatMap((entry) => {
    const [, label = '', name = ''] = /^\*\*(R\d+|Invariant \d+): (.+?)\.?\*\*/.exec(unwrapped(entry)) ?? []
    return label === '' ? [] : [{ label: label.toLowerCase(), name, isKept, tests: namedTests(entry) }]
  })

const unwrapped = (text: string) => text.replace(/\s*\n\s*/g, ' ')

/** The tests that a page cites: a path in backticks, then the test's name, or part of it, in quotes. */
export function namedTests(text: string): NamedTest[] {
  const named = unwrapped(text).matchAll(/`([\w/.-]+\.(?:test|spec)\.ts)` "([^"]+)"/g)
  return [...named].map(([, path = '', name = '']) => ({ path, name }))
}

/** Cited tests whose name does not appear in a string of the cited file. */
export function missingTests(named: NamedTest[], files: SourceFile[]): string[] {
  const textByPath = new Map(files.map(({ path, text }) => [path, text]))
  return named
    .filter(({ path, name }) => !(textByPath.get(path) ?? '').split('\n').some((line) => quotes(line, name)))
    .map(({ path, name }) => `${path} has no test "${name}"`)
}

function quotes(line: string, name: string): boolean {
  const before = line.slice(0, Math.max(0, line.indexOf(name)))
  return /['"`]/.test(before) && !/^\s*(?:\/\/|\/?\*)/.test(before)
}

/** The numbers and names of the invariants in the code. */
export function invariantsInCode(files: SourceFile[]): { label: string; name: string }[] {
  return files
    .filter(({ path }) => path.startsWith('src/server/') && !path.includes('.test.'))
    .flatMap(({ text }) => [...text.matchAll(/number: (\d+),\s*name: (['"])(.+?)\2/g)])
    .map(([, number, , name = '']) => ({ label: `invariant ${number}`, name }))
}

/** Citations of rules or invariants that are not in RULES.md. */
export function unknownCitations(files: SourceFile[], rules: Rule[]): string[] {
  const known = new Set(rules.map(({ label }) => label))
  return files.flatMap(({ path, text }) => [
    ...citationsIn(text)
      .filter((label) => !known.has(label))
      .map((label) => `${path}: ${label} is not in RULES.md`),
    ...[...text.matchAll(/\blaws? \d+/gi)].map(([cited]) => `${path}: ${cited} — the word is "invariant"`),
  ])
}

// "R2", "R4, R7", "invariant 6", "invariants 22 and 23", "Invariants 1 to 4".
function citationsIn(text: string): string[] {
  const rules = [...text.matchAll(/\bR\d+\b/g)].map(([label]) => label.toLowerCase())
  const lists = [...text.matchAll(/\binvariants? (\d+(?:(?:, | and | or | to |–)\d+)*)/gi)]
  return [
    ...rules,
    ...lists.flatMap(([, list = '']) => list.match(/\d+/g) ?? []).map((number) => `invariant ${number}`),
  ]
}
