import { encodeFunctionData, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishRoot } from '../features/trust/publish.ts'
import { auditAndHalt, withOutcome } from '../ledger/audit.ts'
import { findHalt } from '../ledger/halt.ts'
import { allInvariants } from '../operators/invariants.ts'
import { createTestApi, type TestApi } from '../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../testing/chain.ts'
import { aDepositor, workOnce } from '../testing/payments.ts'
import { followCalls } from './publisher-send.ts'
import { contractOf, readVault, revertOf } from './vault.ts'
import { vaultAbi } from './vault-abi.ts'

/** A thief has the payer's key and uses it on the chain itself, past our product. */
let api: TestApi
let node: PaymentChain
const HOURS = 48
const THIEF = `0x${'7'.repeat(40)}` as const

beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
  await workOnce(api, node)
  await aDepositor(api, node, '10000')
  // Its books are of a later block than those of the first root.
  await node.rpc('evm_increaseTime', [10])
  await aDepositor(api, node, '1')
  await publishRoot(api.context)
  for (let pass = 0; pass < 2; pass++) {
    await followCalls({ ...api.context, stuckSeconds: 60 })
    await node.mine(3)
  }
  await workOnce(api, node)
})
afterAll(async () => {
  await api.close()
  await node.stop()
})

const broken = async () => {
  const report = await auditAndHalt(api.context.db, allInvariants(api.context.chain))
  return withOutcome(report, 'broken').map(({ number }) => number)
}

let lastId = 0
/** Takes as much as the vault lets go now. Returns the amount, or the error with which the vault refuses it. */
async function steal(): Promise<bigint | string> {
  const { limit, left } = await readVault(node.chain)
  const micro = limit > left ? limit - left : 1n
  const call = { functionName: 'pay', args: [numberToHex(++lastId, { size: 32 }), THIEF, micro] } as const
  try {
    await node.chain.client.simulateContract({ ...contractOf(node.chain), ...call, account: node.hot })
  } catch (error) {
    return revertOf(error) ?? String(error)
  }
  await node.sendCall(node.hotKey, node.vault, encodeFunctionData({ abi: vaultAbi, ...call }))
  await node.mine(3)
  return micro
}

test('a stolen payer key: the next audit halts, the next root is refused, and in 48 hours at most two limits leave', async () => {
  const { limit, epoch } = await readVault(node.chain)
  expect([limit, await broken()]).toEqual([2_000_200_000n, []])
  const taken = [await steal()]
  expect(taken).toEqual([limit])
  await workOnce(api, node)
  // The reserves show it, and so does a payment with an id that we never signed.
  expect(await broken()).toEqual([6, 31])
  expect(await findHalt(api.context.db)).toBeDefined()
  for (let hour = 1; hour <= HOURS; hour++) {
    await node.rpc('evm_increaseTime', [3_600])
    await node.mine(3)
    taken.push(await steal())
    if (hour > 2) continue
    await workOnce(api, node)
    await expect(publishRoot(api.context)).rejects.toThrow('the vault would refuse this root: Shortage')
  }
  // No root can follow, so nothing leaves once the last one is a day old.
  expect((await readVault(node.chain)).epoch).toBe(epoch)
  expect(new Set(taken.slice(25))).toEqual(new Set(['RootTooOld']))
  const stolen = taken.reduce<bigint>((sum, one) => (typeof one === 'bigint' ? sum + one : sum), 0n)
  expect(await node.balanceOf(THIEF)).toBe(stolen * 10n ** 12n)
  expect(stolen).toBeLessThanOrEqual(2n * limit)
})
