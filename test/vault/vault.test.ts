import { beforeAll, expect, test } from 'vitest'
import { compileVault } from './contracts.ts'
import { measureGas } from './gas.ts'
import { play } from './scene.ts'
import { sequences } from './sequences.ts'
import { createGround, type Ground } from './world.ts'

let ground: Ground
beforeAll(async () => {
  ground = await createGround(await compileVault())
})

test.each(sequences)('%s', (_name, sequence) => play(ground, sequence))

test('the code is smaller than the 24 kB that a chain accepts', () => {
  expect(ground.codeBytes).toBeGreaterThan(10_000)
  expect(ground.codeBytes).toBeLessThan(24_576)
})

test('tokens with 6 to 18 decimals are converted, and fewer than 6 are refused', async () => {
  const code = await compileVault()
  await expect(createGround(code, { decimals: 5 })).rejects.toThrow('BadDecimals')
  for (const [, sequence] of sequences.slice(0, 3)) {
    await play(await createGround(code, { decimals: 6 }), sequence)
    await play(await createGround(code, { decimals: 9 }), sequence)
  }
})

test('every call needs less than the 300,000 gas that a payout is sent with', async () => {
  const gas = await measureGas(await compileVault())
  expect(Object.keys(gas).length).toBeGreaterThan(10)
  expect(Object.entries(gas).filter(([, used]) => used >= 300_000)).toEqual([])
})
