import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sharedRules } from '../src/protocol/rules.ts'
import { findProblems, findRuleProblems, listFiles } from './tidy.ts'

const root = join(import.meta.dirname, '..')
const plant = (path: string, text: string) => findProblems([{ path, text }])

test('the source keeps to the architecture', () => {
  expect(findProblems(listFiles(root))).toEqual([])
})

test('a planted forbidden import or word is found', () => {
  expect(plant('src/server/ledger/post.ts', "import { plans } from '../features/plans/plans.ts'")).toHaveLength(1)
  expect(plant('src/web/plans/page.tsx', "import { x } from '../rewards/x.ts'")).toHaveLength(1)
  expect(plant('src/ui/button.tsx', "import { x } from '../web/api.ts'")).toHaveLength(1)
  expect(plant('src/protocol/money.ts', "import { x } from '../server/context.ts'")).toHaveLength(1)
  expect(plant('src/server/features/plans/plans.ts', "import { x } from './other'")).toHaveLength(1)
  expect(plant('src/server/features/plans/plans.ts', "import { x } from './index.ts'")).toHaveLength(1)
  expect(plant('src/server/features/plans/plans.ts', "import { x } from 'viem'")).toHaveLength(1)
  expect(plant('src/server/features/plans/plans.ts', 'const port = process.env.PORT')).toHaveLength(1)
  expect(plant('src/server/features/plans/plans.ts', 'sql`UPDATE ledger_balances SET amount = 1`')).toHaveLength(1)
  expect(plant('src/server/features/plans/plans.ts', 'const now = Date.now()')).toHaveLength(1)
  expect(plant('src/server/features/rewards/rewards.ts', "import { x } from '../plans/plans.ts'")).toEqual([])
})

test('each shared rule is written once, and called once by a form and once by the server', () => {
  expect(findRuleProblems(listFiles(root), sharedRules)).toEqual([])
})

test('a planted second copy, a missing call and an unlisted rule are found', () => {
  const rule = { path: 'src/protocol/plans.ts', text: 'export function refuseX(amount: Usdt) {}' }
  const form = { path: 'src/web/plans/form.tsx', text: 'const refusal = refuseX(amount)' }
  const server = { path: 'src/server/features/plans/plans.ts', text: 'throwIfRefused(refuseX(amount))' }
  expect(findRuleProblems([rule, form, server], ['refuseX'])).toEqual([])
  expect(findRuleProblems([rule, form], ['refuseX'])).toEqual(['refuseX is called in src/server 0 times, not once'])
  expect(findRuleProblems([rule, form, server, { ...form, path: 'src/web/plans/other.tsx' }], ['refuseX'])).toEqual([
    'refuseX is called in src/web 2 times, not once',
  ])
  const copy = { path: 'src/web/plans/copy.ts', text: 'const refuseX = (amount: Usdt) => undefined' }
  expect(findRuleProblems([rule, form, server, copy], ['refuseX'])).toEqual([
    'refuseX is defined in src 2 times, not once',
  ])
  expect(findRuleProblems([rule], [])).toEqual([
    'src/protocol/plans.ts: refuseX is not in the list of protocol/rules.ts',
  ])
})

test('every test that SECURITY.md names exists under that name', () => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const named = [...read('SECURITY.md').matchAll(/`([\w/.-]+\.(?:test|spec)\.ts)` "([^"]+)"/g)]
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter(([, path = '', name = '']) => !read(path).includes(name)).map(([text]) => text)).toEqual([])
})
