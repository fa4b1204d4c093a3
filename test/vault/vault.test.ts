import { beforeAll, expect, test } from 'vitest'
import { compileVault as compileProduct, readVaultCode } from '../../src/server/embedded/vault-code.ts'
import { compileVault } from './contracts.ts'
import { measureGas } from './gas.ts'
import { ZERO } from './model.ts'
import { play } from './scene.ts'
import { sequences } from './sequences.ts'
import { createGround, type Ground, people } from './world.ts'

let ground: Ground
beforeAll(async () => {
  ground = await createGround(await compileVault())
})

test.each(sequences)('%s', (_name, sequence) => play(ground, sequence))

test('the stored code, which is deployed, is that of the sources', async () => {
  // After a change of the contract: npm run compile:vault
  expect(readVaultCode()).toBe(await compileProduct())
})

test('the code is smaller than the 24 kB that a chain accepts', () => {
  expect(ground.codeBytes).toBeGreaterThan(10_000)
  expect(ground.codeBytes).toBeLessThan(24_576)
})

test('tokens with 6 to 18 decimals are converted, and fewer than 6 are refused', async () => {
  const code = await compileVault()
  await expect(createGround(code, { decimals: 5 })).rejects.toThrow('Panic')
  for (const [, sequence] of sequences.slice(0, 3)) {
    await play(await createGround(code, { decimals: 6 }), sequence)
    await play(await createGround(code, { decimals: 9 }), sequence)
  }
})

test('four different keys and a floor of at most 1,000 USDT are needed to deploy a vault', async () => {
  const code = await compileVault()
  const { owner, payer, guardian, publisher } = people
  for (const others of [{ payer: owner }, { owner: guardian }, { guardian: publisher }, { publisher: payer }])
    await expect(createGround(code, { others })).rejects.toThrow('BadAddress')
  for (const role of ['owner', 'guardian', 'publisher', 'payer'])
    await expect(createGround(code, { others: { [role]: ZERO } })).rejects.toThrow('BadAddress')
  await expect(createGround(code, { others: { floor: 1_000_000_001n } })).rejects.toThrow('OverLimit')
  const { setup } = await createGround(code, { others: { floor: 1_000_000_000n } })
  expect(setup.floor).toBe(1_000_000_000n)
})

test('every call needs less than the 300,000 gas that a payout is sent with', async () => {
  const gas = await measureGas(await compileVault())
  expect(Object.keys(gas).length).toBeGreaterThan(10)
  expect(Object.entries(gas).filter(([, used]) => used >= 300_000)).toEqual([])
  // The calls that are made most often, or by users.
  expect(gas['pay, first to a wallet']).toBeLessThan(175_000)
  expect(gas['publish']).toBeLessThan(142_000)
  expect(gas['exit at 20 levels']).toBeLessThan(258_000)
})
