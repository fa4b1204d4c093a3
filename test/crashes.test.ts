import { expect, test } from 'vitest'
import { runCrashes } from './crashes/suite.ts'

test('after kill −9 of everything the product starts again, and publishes nothing that is not so', {
  timeout: 1_500_000,
}, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const { line, wrong, audits } = await runCrashes({ count: 2, seed, aliveMsMax: 4_000, log: console.log })
  console.log(line)
  expect(wrong).toEqual([])
  expect(audits).toBeGreaterThan(0)
})
