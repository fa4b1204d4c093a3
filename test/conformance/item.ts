import type { NamedTest } from '../tidy/rules.ts'

/** One thing that the specification promises. */
export type Item = {
  /** In our words. Texts, paths, names and numbers are the specification's. */
  says: string
  checkedBy: NamedTest[]
  /** What our product does instead of, or in addition to, the literal words, so that nobody is misled. */
  decided?: string
}

/** A part of a section, such as one page. */
export type Part = { section: number; title: string; items: Item[] }

/** Cites tests of one file by their titles. Of a title that is built in a loop, the constant part is enough. */
export const testsIn =
  (path: string) =>
  (...names: [string, ...string[]]): NamedTest[] =>
    names.map((name) => ({ path, name }))

export const calls = testsIn('test/conformance/calls.test.ts')
export const fields = testsIn('test/conformance/fields.test.ts')
export const pages = testsIn('test/journeys/conformance.spec.ts')
export const landing = testsIn('test/journeys/landing.spec.ts')
export const header = testsIn('test/journeys/header.spec.ts')
export const figures = testsIn('test/journeys/header-figures.spec.ts')
export const sidebar = testsIn('test/journeys/sidebar.spec.ts')
export const shell = testsIn('test/journeys/shell.spec.ts')
export const topUp = testsIn('test/journeys/top-up.spec.ts')
export const history = testsIn('test/journeys/top-up-history.spec.ts')
export const signIn = testsIn('test/journeys/sign-in.spec.ts')
export const words = testsIn('src/web/shared/api/call-words.test.ts')
export const notices = testsIn('src/ui/toast.test.ts')

/** The test that opens every page of the user area. */
export const everyPath = pages(
  'every path under /user opens its page, loaded on the first visit, and every call is JSON with the token',
)
