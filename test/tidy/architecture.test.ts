import { expect, test } from 'vitest'
import { findProblems, SERVER_ORDER } from './architecture.ts'
import { listFiles, read } from './files.ts'

const plant = (path: string, text: string) => findProblems([{ path, text }])

test('the source follows the architecture', () => {
  expect(findProblems(listFiles())).toEqual([])
})

test('a planted forbidden import or word is reported', () => {
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

test('ARCHITECTURE.md lists the modules in the enforced order', () => {
  const listed = /`(platform · [^`]+)`/.exec(read('ARCHITECTURE.md'))?.[1]?.split(/\s*·\s*/)
  expect(listed).toEqual(SERVER_ORDER.map((module, at) => (at === 5 ? module : module.replace('features/', ''))))
})
