import { expect, test } from 'vitest'
import { sharedRules } from '../../src/protocol/rules.ts'
import { listFiles } from './files.ts'
import { findRuleProblems } from './shared-rules.ts'

test('each shared rule is defined once, and called once by a form and once by the server', () => {
  expect(findRuleProblems(listFiles(), sharedRules)).toEqual([])
})

test('a planted second copy, a missing call and an unlisted rule are reported', () => {
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
  expect(findRuleProblems([rule], [])).toEqual(['src/protocol/plans.ts: refuseX is not listed in protocol/rules.ts'])
})
