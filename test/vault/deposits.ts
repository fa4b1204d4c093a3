import assert from 'node:assert/strict'
import { decodeFunctionResult, encodeAbiParameters, encodeFunctionData, type Hex, parseAbiParameters } from 'viem'
import { depositAddressAbi, depositFactoryAbi } from '../../src/server/chain/deposit-abi.ts'
import { create2Address } from '../../src/server/embedded/deposit-code.ts'
import { tokenAbi } from './abi.ts'
import { HOUR, type Manner, manners } from './model.ts'
import { ada, ben, cleo, done, type Scene, tight, USDT } from './scene.ts'
import { people } from './world.ts'

const { stranger } = people
export type DepositScene = Scene & Deposits
type Deposits = Awaited<ReturnType<typeof createDeposits>>
/** The code of the deposit address and of its factory. */
export type DepositCode = { factory: Hex; address: Hex }

/** A factory on the chain of a scene, and short names for what a sequence does with it. */
export async function createDeposits({ ground }: Scene, code: DepositCode, tokenCode: Hex) {
  const { chain, setup } = ground
  const factory = (await chain.deploy(code.factory, '0x')).address
  const other = await chain.deploy(tokenCode, encodeAbiParameters(parseAbiParameters('uint8'), [18]))
  const parameters = parseAbiParameters('address, address')
  const addressOf = (wallet: Hex, vault: Hex = setup.vault): Hex =>
    create2Address(factory, `${code.address}${encodeAbiParameters(parameters, [vault, wallet]).slice(2)}`)
  const tokenCall = (token: Hex, data: Hex) => chain.send(stranger, token, data)
  const sweepData = (wallets: Hex[], token: Hex = setup.token, vault: Hex = setup.vault) =>
    encodeFunctionData({ abi: depositFactoryAbi, functionName: 'sweep', args: [vault, token, wallets] })
  return {
    factory,
    otherToken: other.address,
    addressOf,
    sweepData,
    /** Money from an exchange: it appears at the deposit address of this wallet. */
    fundAddress: (wallet: Hex, micro: bigint, token: Hex = setup.token) => {
      const args = [addressOf(wallet), micro * setup.unit] as const
      return tokenCall(token, encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args }))
    },
    /** Calls the factory and returns what it moved, in micro-USDT. */
    sweep: async (wallets: Hex[], token?: Hex, vault?: Hex) => {
      const { error, returned } = await chain.send(stranger, factory, sweepData(wallets, token, vault))
      assert.equal(error, undefined)
      const amounts = decodeFunctionResult({ abi: depositFactoryAbi, functionName: 'sweep', data: returned })
      return amounts.map((units) => units / setup.unit)
    },
    /** Calls the deposit address itself. Returns the error, if it was refused. */
    sweepOne: async (wallet: Hex, token: Hex = setup.token) => {
      const data = encodeFunctionData({ abi: depositAddressAbi, functionName: 'sweep', args: [token] })
      return (await chain.send(stranger, addressOf(wallet), data)).error
    },
    held: async (holder: Hex, token: Hex = setup.token) => {
      const data = encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [holder] })
      return BigInt(await chain.read(token, data)) / setup.unit
    },
    setManner: (manner: Manner, token: Hex = setup.token) =>
      tokenCall(
        token,
        encodeFunctionData({ abi: tokenAbi, functionName: 'setManner', args: [manners.indexOf(manner)] }),
      ),
    setCallBack: (target: Hex, data: Hex) =>
      tokenCall(setup.token, encodeFunctionData({ abi: tokenAbi, functionName: 'setCall', args: [target, data] })),
  }
}

const OWED = 3_000n * USDT
const five = 5n * USDT

/** The vault owes three users 1,000 USDT each and has a fresh root. Everything below is on top of that. */
export const depositSequences: Record<string, (scene: DepositScene) => Promise<void>> = {
  'two payments and one sweep by a stranger: all of it is in the vault': async (scene) => {
    await tight(scene)
    await scene.fundAddress(ada, five)
    await scene.fundAddress(ada, 2n * USDT)
    assert.deepEqual(await scene.sweep([ada]), [7n * USDT])
    assert.equal(await scene.held(scene.ground.setup.vault), OWED + 7n * USDT)
    for (const holder of [scene.addressOf(ada), ada, stranger, scene.factory])
      assert.equal(await scene.held(holder), 0n)
    // Nothing is left to move, and the address keeps working.
    assert.deepEqual(await scene.sweep([ada]), [0n])
    await scene.fundAddress(ada, five)
    await done(scene.sweepOne(ada))
    assert.equal(await scene.held(scene.ground.setup.vault), OWED + 12n * USDT)
  },
  'without a fresh root the money stays, until there is one': async (scene) => {
    await tight(scene)
    await scene.fundAddress(ada, five)
    scene.world.pass(2n * HOUR + 1n)
    assert.deepEqual(await scene.sweep([ada]), [0n])
    assert.equal(await scene.sweepOne(ada), 'RootTooOld')
    assert.equal(await scene.held(scene.addressOf(ada)), five)
    await done(scene.publish())
    scene.world.pass(2n * HOUR)
    assert.deepEqual(await scene.sweep([ada]), [five])
    assert.equal(await scene.held(scene.ground.setup.vault), OWED + five)
  },
  'before the first root the money stays': async (scene) => {
    await scene.fundAddress(ada, five)
    assert.deepEqual(await scene.sweep([ada]), [0n])
    assert.equal(await scene.held(scene.addressOf(ada)), five)
  },
  'once exits are open the money goes to the wallet of its user': async (scene) => {
    await tight(scene)
    await scene.fundAddress(ada, five)
    await scene.openExits()
    await scene.fundAddress(ben, 2n * USDT)
    assert.deepEqual(await scene.sweep([ada, ben]), [five, 2n * USDT])
    assert.deepEqual([await scene.held(ada), await scene.held(ben)], [five, 2n * USDT])
    assert.equal(await scene.held(scene.ground.setup.vault), OWED)
  },
  'another token goes to the wallet of its user, never to the vault or the caller': async (scene) => {
    await tight(scene)
    await scene.fundAddress(ada, five, scene.otherToken)
    assert.deepEqual(await scene.sweep([ada], scene.otherToken), [five])
    const holders = [ada, scene.ground.setup.vault, stranger, scene.addressOf(ada)]
    const held = await Promise.all(holders.map((holder) => scene.held(holder, scene.otherToken)))
    assert.deepEqual(held, [five, 0n, 0n, 0n])
  },
  'a token that returns false moves nothing and does not stop the others': async (scene) => {
    await tight(scene)
    await scene.fundAddress(ada, five, scene.otherToken)
    await scene.setManner('ReturnsFalse', scene.otherToken)
    assert.deepEqual(await scene.sweep([ada, ben], scene.otherToken), [0n, 0n])
    assert.equal(await scene.sweepOne(ada, scene.otherToken), 'SafeERC20FailedOperation')
    await scene.setManner('ReturnsNothing', scene.otherToken)
    assert.deepEqual(await scene.sweep([ada, ben], scene.otherToken), [five, 0n])
    assert.equal(await scene.held(ada, scene.otherToken), five)
  },
  'a USDT that returns nothing is moved': async (scene) => {
    await tight(scene)
    await scene.fundAddress(ada, five)
    await scene.setManner('ReturnsNothing')
    assert.deepEqual(await scene.sweep([ada]), [five])
    assert.equal(await scene.held(scene.ground.setup.vault), OWED + five)
    await scene.setManner('Plain')
  },
  'a token that calls back can only move money to the same places': async (scene) => {
    await tight(scene)
    for (const wallet of [ada, ben]) await scene.fundAddress(wallet, five)
    await scene.sweep([cleo])
    await scene.setManner('CallsBack')
    await scene.setCallBack(scene.factory, scene.sweepData([ada, ben]))
    await scene.sweep([ada]).catch(() => undefined)
    await scene.setManner('Plain')
    await scene.sweep([ada, ben])
    assert.equal(await scene.held(scene.ground.setup.vault), OWED + 2n * five)
    for (const holder of [ada, ben, stranger, scene.factory]) assert.equal(await scene.held(holder), 0n)
  },
  'a stranger who deploys the address first changes nothing': async (scene) => {
    await tight(scene)
    await scene.sweep([ada])
    await scene.fundAddress(ada, five)
    assert.deepEqual(await scene.sweep([ada, ada]), [five, 0n])
    assert.equal(await scene.held(scene.ground.setup.vault), OWED + five)
  },
  'another vault has other addresses, so it cannot reach this money': async (scene) => {
    await tight(scene)
    await scene.fundAddress(ada, five)
    // A contract of the attacker in the place of the vault, and a vault that does not exist.
    for (const vault of [scene.otherToken, stranger]) {
      assert.notEqual(scene.addressOf(ada, vault), scene.addressOf(ada))
      await scene.sweep([ada], undefined, vault)
    }
    assert.equal(await scene.held(scene.addressOf(ada)), five)
    assert.deepEqual(await scene.sweep([ada]), [five])
    assert.equal(await scene.held(scene.ground.setup.vault), OWED + five)
  },
  'the factory reports what the addresses hold, deployed or not': async (scene) => {
    await tight(scene)
    await scene.fundAddress(ada, five)
    const args = [scene.ground.setup.vault, scene.ground.setup.token, [ada, ben]] as const
    const data = encodeFunctionData({ abi: depositFactoryAbi, functionName: 'held', args })
    const reply = await scene.ground.chain.read(scene.factory, data)
    const held = decodeFunctionResult({ abi: depositFactoryAbi, functionName: 'held', data: reply })
    assert.deepEqual(held, [five * scene.ground.setup.unit, 0n])
  },
}
