import { beforeAll, expect, test } from 'vitest'
import { bugs } from './bugs.ts'
import { compileBugs, type VaultCode } from './contracts.ts'
import { fuzz } from './fuzz.ts'
import { BrokenPromise } from './promises.ts'
import { findFailure } from './sequences.ts'
import { createGround } from './world.ts'

let codes: VaultCode[]
beforeAll(async () => {
  codes = await compileBugs(bugs)
}, 600_000)

function codeOf(name: string): VaultCode {
  const code = codes[bugs.findIndex((bug) => bug.name === name)]
  if (!code) throw new Error('the bug is not compiled')
  return code
}

const [breaking, others] = [bugs.filter(({ breaks }) => breaks), bugs.filter(({ breaks }) => !breaks)]

// Without the model, because the promises must hold on their own.
test.each(breaking)('a promise finds the bug: $name', async ({ name, breaks = '' }) => {
  const ground = await createGround(codeOf(name), { hasModel: false })
  const found = await findFailure(ground, (error) => error instanceof BrokenPromise)
  expect(found).toContain(breaks)
})

test.each(others)('the sequences or random calls find the bug: $name', async ({ name }) => {
  const code = codeOf(name)
  const found = (await findFailure(await createGround(code))) ?? (await fuzz(code, { calls: 5_000, seed: 1 })).broken
  expect(found).toBeDefined()
})

test('a planted bug whose text is not in the source is reported', async () => {
  await expect(async () => compileBugs([{ name: 'x', from: 'no such text', to: '' }])).rejects.toThrow('exactly once')
})
