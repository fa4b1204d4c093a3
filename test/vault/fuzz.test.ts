import { expect, test } from 'vitest'
import { compileVault } from './contracts.ts'
import { fuzz, report } from './fuzz.ts'

const CALLS = 500

test.each([1, Math.floor(Math.random() * 2 ** 31)])('random calls break no promise, seed %i', async (seed) => {
  const result = await fuzz(await compileVault(), { calls: CALLS, seed })
  console.log(report(result))
  expect(result.broken).toBeUndefined()
  expect(result.calls).toBeGreaterThanOrEqual(CALLS)
})
