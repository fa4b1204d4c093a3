import { readFileSync } from 'node:fs'
import { encodeAbiParameters, encodeFunctionData, getAddress, type Hex, parseAbiParameters } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { depositFactoryAbi, SWEEP_GAS_BASE, SWEEP_GAS_EACH } from '../../src/server/chain/deposit-abi.ts'
import { compileEach, readContracts } from '../../src/server/embedded/compile.ts'
import {
  compileDeposits,
  create2Address,
  DEPOSIT_CODE_FILE,
  depositCodeText,
  readFactoryCode,
} from '../../src/server/embedded/deposit-code.ts'
import { depositAddressOf } from '../../src/verifier/deposit-address.ts'
import { DEPOSIT_CODE, DEPOSIT_FACTORY } from '../../src/verifier/deposit-code.ts'
import { compileVault } from './contracts.ts'
import { createDeposits, type DepositCode, type DepositScene, depositSequences } from './deposits.ts'
import { ada, ben, play, tight } from './scene.ts'
import { createGround, type Ground } from './world.ts'

let ground: Ground
let code: DepositCode
let token: Hex
beforeAll(async () => {
  const vault = await compileVault()
  token = vault.token
  code = await compileDeposits()
  ground = await createGround(vault)
})

/** The model has no deposit addresses. Its vault balance is set from the chain after each sequence. */
const playDeposits = (act: (scene: DepositScene) => Promise<void>, withCode = code) =>
  play(ground, async (scene) => {
    await act({ ...scene, ...(await createDeposits(scene, withCode, token)) })
    scene.world.model.heldUnits = await scene.world.balanceOf(ground.setup.vault)
  })

test.each(Object.entries(depositSequences))('%s', (_name, sequence) => playDeposits(sequence))

test('the stored code of the factory and of the deposit address is that of the sources', () => {
  // After a change of the contracts: npm run compile:vault
  expect(readFactoryCode()).toBe(code.factory)
  expect(readFileSync(DEPOSIT_CODE_FILE, 'utf8')).toBe(depositCodeText(code))
})

test('contract, server and verifier compute the same address, another one for each vault and wallet', () =>
  playDeposits(async ({ factory, addressOf }) => {
    const { vault, token: otherVault } = ground.setup
    for (const [at, wallet] of [
      [vault, ada],
      [vault, ben],
      [otherVault, ada],
    ] as const) {
      const data = encodeFunctionData({ abi: depositFactoryAbi, functionName: 'addressOf', args: [at, wallet] })
      const computed = `0x${(await ground.chain.read(factory, data)).slice(-40)}`
      expect(computed).toBe(addressOf(wallet, at))
      expect(depositAddressOf(at, wallet, factory)).toBe(computed)
      // A wallet may write its address in either case.
      expect(depositAddressOf(getAddress(at), getAddress(wallet), factory)).toBe(computed)
    }
    const parameters = encodeAbiParameters(parseAbiParameters('address, address'), [vault, ada])
    expect(depositAddressOf(vault, ada)).toBe(create2Address(DEPOSIT_FACTORY, `${DEPOSIT_CODE}${parameters.slice(2)}`))
  }))

/** A planted bug, and the sequence that must find it. */
const bugs = [
  {
    name: 'USDT goes to the caller',
    from: 'return address(vault);',
    to: 'return msg.sender;',
    foundBy: 'two payments and one sweep by a stranger: all of it is in the vault',
  },
  {
    name: 'an old root is accepted',
    from: 'require(block.timestamp - takenAt <= 2 hours, RootTooOld());',
    to: '',
    foundBy: 'without a fresh root the money stays, until there is one',
  },
  {
    name: 'a vault with open exits gets the money',
    from: 'if (vault.openedAt() != 0) return wallet;',
    to: 'if (vault.openedAt() != 0) return address(vault);',
    foundBy: 'once exits are open the money goes to the wallet of its user',
  },
  {
    name: 'every token goes to the vault',
    from: 'token == vault.token() ? _place() : wallet',
    to: '_place()',
    foundBy: 'another token goes to the wallet of its user, never to the vault or the caller',
  },
  {
    name: 'a refused transfer counts as done',
    from: 'token.safeTransfer(',
    to: 'token.transfer(',
    foundBy: 'a token that returns false moves nothing and does not stop the others',
  },
]

test.each(bugs)('a sequence finds the planted bug: $name', async ({ from, to, foundBy }) => {
  const sources = readContracts('DepositAddress.sol', 'DepositFactory.sol')
  const source = sources['DepositAddress.sol']
  if (source?.content.split(from).length !== 2) throw new Error('the text must occur exactly once')
  source.content = source.content.replace(from, to)
  const [{ DepositFactory, DepositAddress } = {}] = await compileEach([sources], false)
  if (!DepositFactory || !DepositAddress) throw new Error('a contract is missing')
  const sequence = depositSequences[foundBy]
  if (!sequence) throw new Error('there is no such sequence')
  await expect(playDeposits(sequence, { factory: DepositFactory, address: DepositAddress })).rejects.toThrow(
    'Expected values to be strictly',
  )
})

test('a first sweep, which deploys the address, needs less gas than the worker sends it with', () =>
  playDeposits(async (scene) => {
    await tight(scene)
    await scene.fundAddress(ada, 1n)
    const first = await ground.chain.send(ada, scene.factory, scene.sweepData([ada]))
    expect(first.gas).toBeLessThan(SWEEP_GAS_BASE + SWEEP_GAS_EACH)
    expect(first.gas).toBeGreaterThan(400_000n)
    await scene.fundAddress(ada, 1n)
    const later = await ground.chain.send(ada, scene.factory, scene.sweepData([ada]))
    expect(later.gas).toBeLessThan(150_000n)
  }))
