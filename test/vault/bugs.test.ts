import { AssertionError } from 'node:assert'
import { beforeAll, expect, test } from 'vitest'
import { bugs } from './bugs.ts'
import { compileBugs, type VaultCode } from './contracts.ts'
import { BrokenPromise } from './promises.ts'
import { play } from './scene.ts'
import { sequenceOf } from './sequences.ts'
import { createGround, Disagreement } from './world.ts'

let codes: Map<string, VaultCode>
beforeAll(async () => {
  codes = await compileBugs(bugs)
}, 600_000)

/** What the sequence reports about the vault with this bug. The same sequence accepts the vault without it. */
async function reportOf(bug: (typeof bugs)[number], hasModel: boolean): Promise<unknown> {
  const code = codes.get(bug.name)
  if (!code) throw new Error('the bug is not compiled')
  const ground = await createGround(code, { hasModel })
  return play(ground, sequenceOf(bug.foundBy)).then(
    () => 'nothing',
    (error) => error,
  )
}

// Without the model, because the promises must hold on their own.
test.each(bugs.filter(({ breaks }) => breaks))('a promise finds the bug: $name', async (bug) => {
  const report = await reportOf(bug, false)
  expect(report).toBeInstanceOf(BrokenPromise)
  expect(String(report)).toContain(bug.breaks)
})

test.each(bugs.filter(({ breaks }) => !breaks))('a sequence finds the bug: $name', async (bug) => {
  const report = await reportOf(bug, true)
  expect(report instanceof Disagreement || report instanceof AssertionError, String(report)).toBe(true)
})

test('a planted bug whose text is not in the source is reported', async () => {
  const bug = { name: 'x', foundBy: '', from: 'no such text', to: '' }
  await expect(async () => compileBugs([bug])).rejects.toThrow('exactly once')
})
