import { expect, test } from 'vitest'
import { routes } from '../../src/protocol/routes.ts'
import { findCallProblems, findCalls, unusedCalls } from './calls.ts'
import { listFiles } from './files.ts'

const pages = listFiles(['src/web']).filter(({ path }) => !path.includes('.test.') && !path.endsWith('call-words.ts'))

test('every call of the route table is used by a page, or there is a reason why not', () => {
  expect(findCallProblems(routes, findCalls(pages), unusedCalls)).toEqual([])
})

test('a planted call without a page and an outdated reason are reported', () => {
  const page = {
    path: 'src/web/plans/page.tsx',
    text: "import { type Lot, plans as routes } from '../../protocol/plans.ts'\nuseRead(routes.history, {})",
  }
  const tables = { plans: { history: {}, forgotten: {}, known: {} } }
  expect(findCalls([page])).toEqual(new Set(['plans.history']))
  expect(findCallProblems(tables, findCalls([page]), { 'plans.known': 'why' })).toEqual([
    'no page uses plans.forgotten',
  ])
  expect(
    findCallProblems(tables, findCalls([page]), { 'plans.known': 'why', 'plans.history': 'why', 'plans.gone': 'why' }),
  ).toEqual(['no page uses plans.forgotten', 'plans.history needs no reason', 'plans.gone needs no reason'])
})
